import type { Project } from "./project.ts";
import { type Configured, readSettings } from "./settings/settings.ts";

const known = new WeakMap<Project, Promise<Configured>>();

/** The settings in force for this call. What is wrong with them is said once, and does not keep anything from being saved. */
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
