import type { Environment } from "../capture/environment.ts";
import { findProject, type ProjectFolder } from "./find-project.ts";
import { configuredStore } from "./settings/configured-store.ts";

/** The project that a folder belongs to, with the shared store that its cairn.yaml names, if the user accepted that. */
export async function findConfigured(
  cwd: string,
  env: Environment,
  warn: (warning: string) => void = () => {},
): Promise<ProjectFolder> {
  const project = findProject(cwd, env);
  return { ...project, shared: project.shared ?? (await configuredStore({ env }, project.root, warn)) };
}
