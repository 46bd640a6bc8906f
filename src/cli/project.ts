import { existsSync, lstatSync, statSync } from "node:fs";
import { join } from "node:path";
import { findProjectRoot } from "../capture/files/project-root.ts";
import { STORE_FILE } from "../checkpoints/store-file.ts";
import { CheckpointError } from "../errors.ts";
import type { Context } from "./context.ts";

/** The project that the command works in. */
export interface Project {
  readonly root: string;
  /** Holds the store. */
  readonly folder: string;
}

export function findProject({ cwd }: Pick<Context, "cwd">): Project {
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
  return { root, folder };
}

export function hasStore({ folder }: Project): boolean {
  return existsSync(join(folder, STORE_FILE));
}
