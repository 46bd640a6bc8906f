import { existsSync } from "node:fs";
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

/** Whether a word means a path rather than a moment: no moment looks like it, or something of that name is there. */
export function isPath({ cwd }: Context, word: string): boolean {
  if (/^(?:@|ckpt-|\d{1,3}$)/.test(word)) return false;
  return /[/.]/.test(word) || existsSync(resolve(cwd, word));
}
