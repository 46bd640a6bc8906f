import { lstatSync } from "node:fs";
import { join, relative, sep } from "node:path";

import { CheckpointError } from "../errors.ts";

/**
 * Throws if something on the way from `folder` to `path` is a symbolic link, or if `path` is a file with a second name:
 * writing there could change a file elsewhere. A repository, an archive or another user may have brought such a link.
 * `folder` itself is not checked: whoever named it chose it.
 */
export function refuseLinks(folder: string, path: string): void {
  let reached = folder;
  for (const name of relative(folder, path).split(sep)) {
    reached = join(reached, name);
    const found = lstatSync(reached, { throwIfNoEntry: false });
    if (found === undefined) return;
    if (found.isSymbolicLink()) throw symbolicLink(reached);
    if (reached === path && !found.isDirectory() && found.nlink > 1) throw hardLink(path);
  }
}

export function symbolicLink(path: string): CheckpointError {
  return new CheckpointError(
    "refused",
    `"${path}" is a symbolic link, which could lead out of the project.`,
    {
      hint: "Put a real folder or file in its place, or work in another folder.",
      details: { path },
    },
  );
}

function hardLink(path: string): CheckpointError {
  return new CheckpointError(
    "refused",
    `"${path}" has another name elsewhere (a hard link), so writing it would change that file too.`,
    {
      hint: "Put a copy in its place, or work in another folder.",
      details: { path },
    },
  );
}
