import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
} from "node:fs";
import { join } from "node:path";
import { errorCode } from "../../../work/machine/read-bounded.ts";
import type { FileMode, LeftOutWhy } from "../snapshot/snapshot-file.ts";
import { levelsOf } from "../tree/tree.ts";

/** What the disk says of a file before its content is read. */
export interface DiskEntry {
  readonly stats: BigIntStats;
  readonly stamp: string;
  readonly size: number;
}

/** Undefined where nothing is, or only a folder, or where a link stands on the way: what is behind it is not the project's. */
export function findEntry(root: string, path: string): DiskEntry | undefined {
  if (hasLinkAbove(root, path)) return undefined;
  const stats = statOf(join(root, path));
  if (stats === undefined || stats.isDirectory()) return undefined;
  return { stats, stamp: stampOf(stats), size: Number(stats.size) };
}

/** Whether a folder on the way to a path is a link, or no folder. */
export function hasLinkAbove(root: string, path: string): boolean {
  const folders = levelsOf(path).slice(0, -1);
  return folders.some((above) => statOf(join(root, above))?.isDirectory() === false);
}

function statOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (errorCode(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

/** Changes with every change of the file. Milliseconds are too coarse: two writes may share one. */
function stampOf({ mtimeNs, ctimeNs, size, ino, mode }: BigIntStats): string {
  return [mtimeNs, ctimeNs, size, ino, mode].join(".");
}

/** How young a file may be for its times to be believed: one that is written again at once may keep them. */
const YOUNG_NS = 2_000_000_000n;

/** Whether a file was changed so shortly before it was looked at that its times do not tell of another change. */
export function isYoung({ stats }: DiskEntry, lookedAt: Date): boolean {
  const newest = stats.mtimeNs > stats.ctimeNs ? stats.mtimeNs : stats.ctimeNs;
  return newest > BigInt(lookedAt.getTime()) * 1_000_000n - YOUNG_NS;
}

export type ReadEntry =
  | { readonly mode: FileMode; readonly content: Buffer; readonly why?: never }
  | { readonly why: LeftOutWhy; readonly mode?: never; readonly content?: never };

/** Reads a file as it is now, never following a link, and never waiting for a pipe. */
export function readEntry(root: string, path: string, entry: DiskEntry): ReadEntry {
  const absolute = join(root, path);
  try {
    if (entry.stats.isSymbolicLink())
      return { mode: "120000", content: readlinkSync(absolute, { encoding: "buffer" }) };
    if (!entry.stats.isFile()) return { why: "special" };
    return readRegular(absolute, entry);
  } catch (error) {
    return { why: errorCode(error) === "ENOENT" || errorCode(error) === "ELOOP" ? "changing" : "unreadable" };
  }
}

/** Content and times belong together only if the times are the same before and after. */
function readRegular(absolute: string, { stamp }: DiskEntry): ReadEntry {
  const file = openSync(
    absolute,
    constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
  );
  try {
    const before = fstatSync(file, { bigint: true });
    if (stampOf(before) !== stamp) return { why: "changing" };
    const content = readAll(file, Number(before.size));
    if (content === undefined || stampOf(fstatSync(file, { bigint: true })) !== stamp)
      return { why: "changing" };
    return { mode: (before.mode & 0o100n) === 0n ? "100644" : "100755", content };
  } finally {
    closeSync(file);
  }
}

/** Undefined if there is less than there was. */
function readAll(file: number, size: number): Buffer | undefined {
  const content = Buffer.allocUnsafeSlow(size);
  for (let filled = 0; filled < size;) {
    const count = readSync(file, content, filled, size - filled, filled);
    if (count === 0) return undefined;
    filled += count;
  }
  return content;
}
