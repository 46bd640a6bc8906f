import nodePath from "node:path";

/** What the rules for paths are: those of this system, unless a test brings those of another. */
export type PathRules = Pick<typeof nodePath, "relative" | "isAbsolute" | "sep">;

/** Whether a path is a folder or something below it, going by the names alone. */
export function isInside(folder: string, path: string, rules: PathRules = nodePath): boolean {
  const way = rules.relative(folder, path);
  // Another drive has no relative path.
  return !rules.isAbsolute(way) && !/^\.\.(?:[/\\]|$)/.test(way);
}

/**
 * A path as it is recorded: relative to the project's root and with `/` on every system, so that a checkpoint means the
 * same wherever it is read. One outside the project stays absolute.
 */
export function recordedPath(root: string, path: string, rules: PathRules = nodePath): string {
  return withSlashes(isInside(root, path, rules) ? rules.relative(root, path) : path, rules);
}

/** A path that another program recorded, maybe on Windows, as this system reads it. */
export function foreignPath(path: string): string {
  return path.replaceAll("\\", "/");
}

/** Whether a path names a drive, on a system that has none. */
export const isOnForeignDrive = (path: string, { sep }: Pick<PathRules, "sep"> = nodePath): boolean =>
  sep === "/" && /^[A-Za-z]:[\\/]/.test(path);

/** On POSIX a backslash is an ordinary character of a name. */
export function withSlashes(path: string, { sep }: Pick<PathRules, "sep"> = nodePath): string {
  return sep === "/" ? path : path.replaceAll(sep, "/");
}
