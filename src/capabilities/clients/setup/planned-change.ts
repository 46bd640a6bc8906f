import { isUtf8 } from "node:buffer";
import { existsSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { CheckpointError } from "../../../core/errors.ts";
import type { SetupClient } from "./setup-clients.ts";

/** What is to become of one file. Nothing has been touched yet. */
export interface PlannedChange {
  readonly path: string;
  /** In a few words, for the person. */
  readonly what: string;
  /** Undefined when there is no such file. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Whether the backup beside the file is no longer needed: the file is what it was before. */
  readonly dropsBackup?: boolean;
}

export interface ClientPlan {
  readonly client: SetupClient;
  readonly name: string;
  readonly changes: readonly PlannedChange[];
  /** What the person should know, or do themselves. */
  readonly notes: readonly string[];
  /** What the person must still do in the client before it runs our hooks. */
  readonly waitsFor?: string | undefined;
}

export type Direction = "add" | "remove";

export const backupOf = (path: string): string => `${path}.before-cairn`;

/** Nobody writes larger settings. */
const LARGEST_BYTES = 8 * 1024 * 1024;

export function readIfThere(path: string): string | undefined {
  if (!existsSync(path)) {
    // A file in its place would part the person's settings from wherever they are kept.
    if (isLink(path)) throw unusable(path, "is a symbolic link to nothing");
    return undefined;
  }
  const found = statSync(path);
  if (!found.isFile() || found.size > LARGEST_BYTES) throw unusable(path, "is not a file of settings");
  const bytes = readFileSync(path);
  // Read as UTF-8 and written again, every other byte would become a replacement character.
  if (!isUtf8(bytes)) throw unusable(path, "is not UTF-8 text");
  return bytes.toString("utf8");
}

/** `lstat` would fail where a file stands in a folder's place; writing says that better. */
function isLink(path: string): boolean {
  try {
    return readlinkSync(path) !== "";
  } catch {
    return false;
  }
}

function unusable(path: string, problem: string): CheckpointError {
  return new CheckpointError("refused", `"${path}" ${problem}, so nothing was changed.`, {
    hint: `Look at it: ls -l ${path}`,
    details: { path },
  });
}

/** The file cannot be parsed, so it is left alone. */
export function malformed(path: string, text: string, position: number, problem: string): CheckpointError {
  const lines = text.slice(0, position).split("\n");
  const [line, column] = [lines.length, (lines.at(-1)?.length ?? 0) + 1];
  return new CheckpointError(
    "refused",
    `"${path}" cannot be parsed, so nothing was changed. Line ${line}, column ${column}: ${problem}`,
    {
      hint: "Fix that line, then run again: checkpoint init",
      details: { path, line, column },
    },
  );
}

/**
 * A file without anything of ours. If that leaves what the backup holds, the backup is restored, byte for byte; a file
 * that we created is deleted.
 */
export function planRemoval(
  change: PlannedChange,
  meaningOf: (text: string) => string = (text) => text.trim(),
): PlannedChange {
  const { path, before, after } = change;
  if (before === after || after === undefined) return change;
  const backup = readIfThere(backupOf(path));
  if (backup !== undefined && meaningOf(backup) === meaningOf(after))
    return { ...change, after: backup, dropsBackup: true };
  const isEmpty = meaningOf(after) === meaningOf("");
  return isEmpty && !existsSync(backupOf(path)) ? { ...change, after: undefined } : change;
}
