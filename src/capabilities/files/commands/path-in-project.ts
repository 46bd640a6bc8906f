import { resolve } from "node:path";
import { isInside, recordedPath } from "../../../work/machine/recorded-path.ts";
import { CheckpointError } from "../../../core/errors.ts";
import type { Context } from "../../../work/terminal/context.ts";

/** A path that was typed, as it is recorded: relative to the project's root. */
export function pathInProject({ cwd, project }: Context, typed: string): string {
  const path = resolve(cwd, typed);
  if (isInside(project.root, path)) return recordedPath(project.root, path);
  throw new CheckpointError("usage", `"${typed}" is not in the project.`, {
    hint: `The project is in "${project.root}".`,
    details: { path: typed },
  });
}

/** Whether a word can only be a path. */
export function looksLikePath(word: string): boolean {
  return /[/.]/.test(word) && !/^(?:@|ckpt-)/.test(word);
}
