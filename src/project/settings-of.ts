import type { Project } from "./project.ts";
import { type Configured, readSettings } from "./settings/settings.ts";

const known = new WeakMap<Project, Promise<Configured>>();

/** The settings in force for this call. Mistakes in them are reported once, as warnings. */
export function settingsOf(project: Project): Promise<Configured> {
  const reading = known.get(project) ?? read(project);
  known.set(project, reading);
  return reading;
}

async function read(project: Project): Promise<Configured> {
  const settings = await readSettings(project, project.root);
  for (const warning of settings.warnings) project.notices.warning(warning);
  return settings;
}
