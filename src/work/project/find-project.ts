import { lstatSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../machine/environment.ts";
import { findProjectRoot } from "../machine/folders.ts";
import { errorCode } from "../machine/read-bounded.ts";
import { STORE_FILE } from "../../core/trails/store-file.ts";
import { CheckpointError } from "../../core/errors.ts";
import type { ProjectFolder } from "./project.ts";
import { maySet } from "./settings/settings.ts";
import { sharedStoreFrom, STORE_VARIABLE } from "./shared-store.ts";

/** The project that a folder belongs to. */
export function findProject(cwd: string, env: Environment = {}): ProjectFolder {
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
    throw new CheckpointError("not-found", `There is no folder "${cwd}".`, {
      hint: "Check the path after -C.",
    });
  }
  const root = findProjectRoot(cwd);
  const folder = join(root, ".cairn");
  // A repository could bring a link to another project's store along.
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new CheckpointError(
      "refused",
      `"${folder}" is a symbolic link, which could lead to another project.`,
      {
        hint: "Put a real folder in its place, or work in another folder.",
        details: { path: folder },
      },
    );
  }
  const shared = env[STORE_VARIABLE] ? sharedStoreFrom(env, { url_env: STORE_VARIABLE }) : undefined;
  return { root, folder, shared };
}

/** The same, with the shared store that the project's cairn.yaml names, if the user accepted that. */
export async function findConfigured(
  cwd: string,
  env: Environment,
  warn: (warning: string) => void = () => {},
): Promise<ProjectFolder> {
  const project = findProject(cwd, env);
  if (project.shared !== undefined || !maySet("store", { env }, project.root)) return project;
  const { configuredStore } = await import("./configured-store.ts");
  return { ...project, shared: await configuredStore({ env }, project.root, warn) };
}

/** Whether the project has a store. A folder that somebody else closed is not taken for an empty one. */
export function hasStore({ folder, shared }: Pick<ProjectFolder, "folder" | "shared">): boolean {
  if (shared !== undefined) return true;
  try {
    return statSync(join(folder, STORE_FILE), { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw errorCode(error) === "EACCES" ? closedToUs(folder) : error;
  }
}

function closedToUs(folder: string): CheckpointError {
  const { uid } = statSync(folder);
  return new CheckpointError(
    "refused",
    `"${folder}" belongs to another user (uid ${uid}) and is not readable.`,
    {
      hint: "Work in a copy of the project that is your own.",
      details: { path: folder, owner: uid },
    },
  );
}

export function noCheckpointYet(trail?: string): CheckpointError {
  const where = trail === undefined ? "in this project" : `in trail "${trail}"`;
  const hint = trail === undefined ? "checkpoint now" : "checkpoint list --all";
  return new CheckpointError("not-found", `There is no checkpoint ${where} yet.`, {
    hint,
    details: trail === undefined ? { store: "empty" } : {},
  });
}
