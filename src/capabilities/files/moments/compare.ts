import { git } from "../../../work/capture/git/git-tree.ts";
import type { FileMode, FilesByPath } from "../snapshot/snapshot-file.ts";
import type { FileTree } from "../tree/tree.ts";
import { committedSide, type FileSide, isSameSide, sideOf } from "./sides.ts";

/** The files of a moment, and the commit that all others are as. */
export interface MomentFiles {
  readonly head: string | null;
  readonly files: FilesByPath;
}

/** A file that is in two moments not the same. */
export interface FileChange {
  readonly path: string;
  readonly from: FileSide;
  readonly to: FileSide;
  /** Whether the commits that the moments stand on differ here too. */
  readonly isAcrossCommits: boolean;
}

/** What differs between two moments, by path. Throws an error that says why if git cannot compare their commits. */
export async function compare(tree: FileTree, from: MomentFiles, to: MomentFiles): Promise<FileChange[]> {
  const commits = await commitChanges(tree, from.head, to.head);
  const paths = new Set([...from.files.keys(), ...to.files.keys(), ...commits.keys()]);
  const changes: FileChange[] = [];
  for (const path of paths) {
    const [old, now] = [from.files.get(path), to.files.get(path)];
    const commit = commits.get(path);
    // A file that is listed in neither is as its commit has it; one that is listed in one knows what the other's commit has.
    const before = old ? sideOf(old) : (commit?.from ?? committedSide(now));
    const after = now ? sideOf(now) : (commit?.to ?? committedSide(old));
    if (isSameSide(before, after)) continue;
    changes.push({ path, from: before, to: after, isAcrossCommits: commit !== undefined });
  }
  return changes.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

type CommitSides = ReadonlyMap<string, { readonly from: FileSide; readonly to: FileSide }>;

/** The files in which two commits differ; null is a branch without one. */
async function commitChanges(tree: FileTree, from: string | null, to: string | null): Promise<CommitSides> {
  const found = new Map<string, { from: FileSide; to: FileSide }>();
  if (from === to || tree.command.ownRepository !== undefined) return found;
  const { prefix } = tree.git;
  const none = (to ?? from ?? "").length === EMPTY_TREE_SHA256.length ? EMPTY_TREE_SHA256 : EMPTY_TREE_SHA1;
  const paths = prefix === "" ? [] : ["--", prefix];
  const args = ["diff-tree", "-r", "-z", "--no-renames", from ?? none, to ?? none, ...paths];
  const records = await git(tree, args);
  for (let at = 0; at + 1 < records.length; at += 2) {
    const fields = (records[at] as string).slice(1).split(" ");
    const [modeFrom = "", modeTo = "", blobFrom = "", blobTo = ""] = fields;
    const path = (records[at + 1] as string).slice(prefix.length);
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
