import { delimiter, isAbsolute } from "node:path";

/** The variables of a process. Handed in by the caller: this layer never reads them by itself. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The variables for a program that is started in a project's folder. A relative or empty entry of $PATH would be a folder of
 * the repository, with programs of its choice; an empty $PATH as a whole means that too.
 */
export function withoutRelativePath(env: Environment): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    const kept = value !== undefined && /^path$/i.test(name) ? absoluteEntries(value) : value;
    if (kept !== undefined) clean[name] = kept;
  }
  return clean;
}

function absoluteEntries(path: string): string | undefined {
  return path.split(delimiter).filter(isAbsolute).join(delimiter) || undefined;
}
