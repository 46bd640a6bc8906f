import { findGit } from "../../../work/capture/git/git-head.ts";
import { readCommitted } from "../look/committed-content.ts";
import { git, type GitTree } from "../look/git-status.ts";
import type { LookedTree } from "../look/look.ts";
import {
  type FileMode,
  type FilesByPath,
  type FileVersion,
  isSameVersion,
  LEFT_OUT,
  type SnapshotFile,
} from "../snapshot/snapshot-file.ts";
import type { Snapshot } from "../snapshot/snapshots.ts";

/** The files of a moment. */
export interface MomentFiles {
  readonly head: string | null;
  readonly files: FilesByPath;
}

/** A file on one side: what is stored, what only git has, that it is not there, or why it is not known. */
export type FileSide =
  | { readonly kind: "stored"; readonly version: FileVersion }
  | { readonly kind: "blob"; readonly mode: FileMode; readonly blob: string }
  | { readonly kind: "absent" }
  | { readonly kind: "unknown"; readonly why: string };

/** A file that is in two moments not the same. */
export interface FileChange {
  readonly path: string;
  readonly from: FileSide;
  readonly to: FileSide;
  /** Whether the commits that the moments stand on differ here too. */
  readonly isAcrossCommits: boolean;
}

/** What differs between two moments, by path. Throws an error that says why if git cannot compare their commits. */
export async function compare(tree: LookedTree, from: MomentFiles, to: MomentFiles): Promise<FileChange[]> {
  const commits = await commitChanges(tree, from.head, to.head);
  const paths = new Set([...from.files.keys(), ...to.files.keys(), ...commits.keys()]);
  const changes: FileChange[] = [];
  for (const path of paths) {
    const [old, now] = [from.files.get(path), to.files.get(path)];
    const commit = commits.get(path);
    // A file that is listed in neither is as its commit has it; one that is listed in one knows what the other's commit has.
    const before = old ? sideOf(old) : (commit?.from ?? committedSide(now));
    const after = now ? sideOf(now) : (commit?.to ?? committedSide(old));
    if (isSameSide(before, after, old, now)) continue;
    changes.push({ path, from: before, to: after, isAcrossCommits: commit !== undefined });
  }
  return changes.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

/** What a commit has of a file, as far as the moment in which it differed knows. */
export function committedSide(file: SnapshotFile | undefined): FileSide {
  if (file?.committed === null) return { kind: "absent" };
  if (file?.committed) return { kind: "stored", version: file.committed };
  return { kind: "unknown", why: "only git knows what it writes to the disk" };
}

export function sideOf({ now, leftOut }: SnapshotFile): FileSide {
  if (now) return { kind: "stored", version: now };
  return leftOut ? { kind: "unknown", why: LEFT_OUT[leftOut.why] } : { kind: "absent" };
}

function isSameSide(one: FileSide, other: FileSide, old?: SnapshotFile, now?: SnapshotFile): boolean {
  if (one.kind === "unknown" && other.kind === "unknown") return old?.leftOut?.stamp === now?.leftOut?.stamp;
  if (one.kind === "stored" && other.kind === "stored") return isSameVersion(one.version, other.version);
  if (one.kind === "blob" && other.kind === "blob") return one.blob === other.blob && one.mode === other.mode;
  return one.kind === "absent" && other.kind === "absent";
}

type CommitSides = ReadonlyMap<string, { readonly from: FileSide; readonly to: FileSide }>;

/** The files in which two commits differ; null is a branch without one. */
async function commitChanges(tree: LookedTree, from: string | null, to: string | null): Promise<CommitSides> {
  const found = new Map<string, { from: FileSide; to: FileSide }>();
  const at = findGit(tree.root);
  if (from === to || at === undefined) return found;
  const none = (to ?? from ?? "").length === EMPTY_TREE_SHA256.length ? EMPTY_TREE_SHA256 : EMPTY_TREE_SHA1;
  const paths = at.prefix === "" ? [] : ["--", at.prefix];
  const args = ["diff-tree", "-r", "-z", "--no-renames", from ?? none, to ?? none, ...paths];
  const records = await git({ ...tree, git: at }, args, { maxOutputBytes: 64 * 2 ** 20 });
  for (let index = 0; index + 1 < records.length; index += 2) {
    const [modeFrom = "", modeTo = "", blobFrom = "", blobTo = ""] = (records[index] as string)
      .slice(1)
      .split(" ");
    const path = (records[index + 1] as string).slice(at.prefix.length);
    found.set(path, { from: blobSide(modeFrom, blobFrom), to: blobSide(modeTo, blobTo) });
  }
  return found;
}

const EMPTY_TREE_SHA1 = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
const EMPTY_TREE_SHA256 = "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321";

function blobSide(mode: string, blob: string): FileSide {
  if (/^0*$/.test(blob)) return { kind: "absent" };
  if (mode === "160000") return { kind: "unknown", why: "a submodule" };
  return { kind: "blob", mode: mode as FileMode, blob };
}

/** What git has of sides that only it has, by path. */
export async function readBlobs(
  tree: LookedTree,
  sides: readonly { readonly path: string; readonly side: FileSide }[],
): Promise<Map<string, Buffer>> {
  const at = findGit(tree.root);
  const wanted = sides.flatMap(({ path, side }) =>
    side.kind === "blob" ? [{ path, blob: side.blob, isLink: side.mode === "120000" }] : [],
  );
  if (at === undefined || wanted.length === 0) return new Map();
  const gitTree: GitTree = { ...tree, git: at };
  return readCommitted(gitTree, wanted);
}

export const momentOf = ({ head }: Pick<Snapshot, "head">, files: FilesByPath): MomentFiles => ({
  head,
  files,
});
