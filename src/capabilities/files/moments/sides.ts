import type { ReadObjects } from "../../../core/objects/read-tree.ts";
import { readBlobs } from "../../../work/capture/git/read-blobs.ts";
import {
  type FileMode,
  type FileVersion,
  isSameVersion,
  LEFT_OUT,
  type SnapshotFile,
} from "../snapshot/snapshot-file.ts";
import { contentsOf } from "../snapshot/snapshots.ts";
import type { FileTree } from "../tree/tree.ts";

/** A file on one side: what is stored, what only git has, that it is not there, or why it is not known. */
export type FileSide =
  | { readonly kind: "stored"; readonly version: FileVersion }
  | { readonly kind: "blob"; readonly mode: FileMode; readonly blob: string }
  | { readonly kind: "absent" }
  | { readonly kind: "unknown"; readonly why: string; readonly stamp?: string | undefined };

/** A file as it was at a moment that lists it. */
export function sideOf({ now, leftOut }: SnapshotFile): FileSide {
  if (now) return { kind: "stored", version: now };
  return leftOut ? { kind: "unknown", why: LEFT_OUT[leftOut.why], stamp: leftOut.stamp } : { kind: "absent" };
}

/** What a commit has of a file, as far as the moment in which it differed knows. */
export function committedSide(file: SnapshotFile | undefined): FileSide {
  if (file?.committed === null) return { kind: "absent" };
  if (file?.committed) return { kind: "stored", version: file.committed };
  return { kind: "unknown", why: "only git knows what it writes to the disk" };
}

export function isSameSide(one: FileSide, other: FileSide): boolean {
  if (one.kind === "unknown" && other.kind === "unknown") return one.stamp === other.stamp;
  if (one.kind === "stored" && other.kind === "stored") return isSameVersion(one.version, other.version);
  if (one.kind === "blob" && other.kind === "blob") return one.blob === other.blob && one.mode === other.mode;
  return one.kind === "absent" && other.kind === "absent";
}

/** The content of sides; what is unknown, or what git does not have any more, is left out. */
export async function readSides(
  tree: FileTree,
  sides: readonly { readonly path: string; readonly side: FileSide }[],
  read: ReadObjects,
): Promise<Map<FileSide, Buffer>> {
  const stored = sides.flatMap(({ side }) => (side.kind === "stored" ? [side.version] : []));
  const contents = await contentsOf(stored, read);
  const blobs = await readBlobs(
    tree,
    sides.flatMap(({ path, side }) => (side.kind === "blob" ? [{ path, ...side }] : [])),
  );
  const found = new Map<FileSide, Buffer>();
  for (const { path, side } of sides) {
    const content =
      side.kind === "stored"
        ? contents.get(side.version)
        : side.kind === "blob"
          ? blobs.get(path)
          : undefined;
    if (side.kind === "absent") found.set(side, Buffer.alloc(0));
    else if (content !== undefined) found.set(side, content);
  }
  return found;
}
