import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  type Stats,
} from "node:fs";

/** A file's bytes, or a few words on why it could not be read. */
export type BoundedRead =
  | { readonly bytes: Buffer; readonly problem?: never }
  | { readonly bytes?: never; readonly problem: string };

/** The problem that `readBounded` reports for a missing file. */
export const MISSING = "there is no such file";
const NOT_REGULAR = "it is not a regular file";

/**
 * Reads a regular file of at most `limitBytes`, or the start or the end of a longer one. Never throws, and never blocks on a pipe
 * or a device planted under the expected name.
 */
export function readBounded(
  path: string,
  limitBytes: number,
  excess: "refuse" | "cut" | "end" = "refuse",
): BoundedRead {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(file);
    if (!stats.isFile()) return { problem: NOT_REGULAR };
    if (stats.size > limitBytes && excess === "refuse")
      return { problem: `it is larger than ${limitBytes} bytes` };
    const size = Math.min(stats.size, limitBytes);
    return { bytes: readAt(file, excess === "end" ? stats.size - size : 0, size) };
  } catch (error) {
    return { problem: problemOf(error) };
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** At most `size` bytes, even if the file grows meanwhile; fewer if it shrinks. */
export function readAt(file: number, from: number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  let filled = 0;
  while (filled < size) {
    const count = readSync(file, bytes, filled, size - filled, from + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

function problemOf(error: unknown): string {
  const code = errorCode(error);
  if (code === "ENOENT" || code === "ENOTDIR") return MISSING;
  if (code === "EISDIR") return NOT_REGULAR;
  if (code === "EACCES" || code === "EPERM") return "it may not be read";
  return `it cannot be read (${code ?? "unknown error"})`;
}

/** The whole file; undefined if there is none. */
export function readIfAny(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** What is at a path; undefined if there is nothing, or nothing that we may see. */
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
