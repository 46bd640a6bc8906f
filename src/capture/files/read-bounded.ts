import { closeSync, constants, fstatSync, openSync, readSync, statSync, type Stats } from "node:fs";

/** A file's bytes, or in a few words why they cannot be had. */
export type BoundedRead =
  | { readonly bytes: Buffer; readonly problem?: never }
  | { readonly bytes?: never; readonly problem: string };

/** What `readBounded` says when there is no such file. */
export const MISSING = "there is no such file";

/**
 * Reads a regular file of at most `limitBytes`. Never throws, and never waits on a pipe or a device
 * that somebody planted under the expected name.
 */
export function readBounded(path: string, limitBytes: number): BoundedRead {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const { size } = fstatRegular(file);
    if (size > limitBytes) return { problem: `it is larger than ${limitBytes} bytes` };
    return { bytes: readAll(file, size) };
  } catch (error) {
    return { problem: problemOf(error) };
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function fstatRegular(file: number): { size: number } {
  const stats = fstatSync(file);
  if (!stats.isFile()) throw Object.assign(new Error("not a regular file"), { code: "EISDIR" });
  return stats;
}

/** At most `size` bytes: a file that grows meanwhile is read as it was, one that shrinks as it is. */
export function readAll(file: number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  let filled = 0;
  while (filled < size) {
    const count = readSync(file, bytes, filled, size - filled, filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

function problemOf(error: unknown): string {
  const code = errorCode(error);
  if (code === "ENOENT" || code === "ENOTDIR") return MISSING;
  if (code === "EISDIR") return "it is not a regular file";
  if (code === "EACCES" || code === "EPERM") return "it may not be read";
  return `it cannot be read (${code ?? "unknown error"})`;
}

/** What is at a path; undefined when nothing is, or nothing that we may know of. */
export function statIfAny(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** The code of a system error, such as `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}
