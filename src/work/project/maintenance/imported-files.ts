import { realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { statIfAny } from "../../machine/read-bounded.ts";
import { foreignPath, isInside, isOnForeignDrive, recordedPath } from "../../machine/recorded-path.ts";

type FilePlace = "in the project" | "outside" | "missing";

/** A file that another tool's file names. */
export interface ImportedFile {
  /** Where it would be. */
  readonly file: string;
  /** As a checkpoint records it. */
  readonly recorded: string;
  readonly place: FilePlace;
}

/** Finds a file by the path that another tool recorded, relative to `top`. That tool may have run on Windows. */
export function findImportedFile(root: string, top: string, path: string): ImportedFile {
  if (isOnForeignDrive(path)) return { file: path, recorded: foreignPath(path), place: "outside" };
  const literal = resolve(top, path);
  const file = isFile(literal) ? literal : resolve(top, foreignPath(path));
  return { file, recorded: recordedPath(root, file), place: placeOf(root, top, file) };
}

/** A link could lead anywhere, and only files in the project can be checked again later. */
function placeOf(root: string, top: string, file: string): FilePlace {
  if (!isInside(top, file) && !isInside(root, file)) return "outside";
  if (!isFile(file)) return "missing";
  return isInside(realpathSync(root), realpathSync(file)) ? "in the project" : "outside";
}

/** A path of another tool may be no path at all: too long, with a zero byte in it. */
const isFile = (path: string) => statIfAny(path)?.isFile() ?? false;

/** What the paths in a state file in `memory/state` are relative to: the folder around `memory`, else the project. */
export function topOfState(root: string, folder: string | undefined): string {
  if (folder === undefined || !/[\\/]memory[\\/]state$/.test(folder)) return root;
  const top = dirname(dirname(folder));
  return isInside(root, top) ? top : root;
}
