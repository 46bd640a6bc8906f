import type { ObjectId } from "../../../core/objects/object-id.ts";

/** As git writes it: a file, one that may be run, a symbolic link. */
export type FileMode = "100644" | "100755" | "120000";

/** A file's content, in pieces of at most 1 MB that are stored as raw bytes. Of a link it is where the link leads. */
export interface FileVersion {
  readonly mode: FileMode;
  readonly size: number;
  readonly pieces: readonly ObjectId[];
}

/** Content is cut there: zstd finds little of a base that is larger. */
const PIECE_BYTES = 1024 * 1024;

/** The pieces that a file's content is stored in. */
export function piecesOf(content: Buffer): Buffer[] {
  const count = Math.ceil(content.length / PIECE_BYTES);
  return Array.from({ length: count }, (_, at) => content.subarray(at * PIECE_BYTES, (at + 1) * PIECE_BYTES));
}

/** Why a file's content is not stored. */
export type LeftOutWhy = keyof typeof LEFT_OUT;

export const LEFT_OUT = {
  secret: "looks like a secret",
  large: "too large",
  changing: "changed while it was read",
  unreadable: "not readable",
  special: "not a regular file",
} as const;

/** A file that is not as the commit has it, or any file where there is no git. */
export interface SnapshotFile {
  readonly path: string;
  /** Absent where the file is not there, or is left out. */
  readonly now?: FileVersion | undefined;
  /** Its times tell whether it changed. */
  readonly leftOut?: { readonly why: LeftOutWhy; readonly size: number; readonly stamp: string } | undefined;
  /** As HEAD has it, as git would write it to the disk. Null: HEAD has no such file. Absent: unknown, as with Git LFS. */
  readonly committed?: (FileVersion & { readonly blob: string }) | null | undefined;
}

/** Files of one moment, by path. */
export type FilesByPath = ReadonlyMap<string, SnapshotFile>;

type Named = Pick<FileVersion, "mode" | "pieces">;

/** Whether two files have the same content and may both be run; nothing is like nothing. */
export function isSameVersion(one: Named | null | undefined, other: Named | null | undefined): boolean {
  if (!one || !other) return !one && !other;
  return one.mode === other.mode && one.pieces.join() === other.pieces.join();
}
