import { isAbsolute, join } from "node:path";
import { statIfAny } from "./read-bounded.ts";
import type { Environment } from "../environment.ts";

/** The user's home folder; undefined if there is none, as in some containers. */
export function homeFolder(env: Environment): string | undefined {
  return [env["HOME"], env["USERPROFILE"]].find(
    // Nothing is made in a home that does not exist: service users have one in name only.
    (path) => isFolder(path) && statIfAny(path) !== undefined,
  );
}

/**
 * The folder that a variable names, else one in the user's home. A relative path is ignored: it would depend on the
 * working directory, and a repository could provide it.
 */
export function personalFolder(
  env: Environment,
  variable: string,
  ...inHome: readonly string[]
): string | undefined {
  const named = env[variable];
  if (isFolder(named)) return named;
  const home = homeFolder(env);
  return home === undefined ? undefined : join(home, ...inHome);
}

function isFolder(path: string | undefined): path is string {
  return path !== undefined && isAbsolute(path);
}
