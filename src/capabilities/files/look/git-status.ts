import { copyFileSync, existsSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { blankForeignPrograms } from "../../../work/capture/git/foreign-programs.ts";
import { STATUS_ARGS } from "../../../work/capture/git/git-workspace.ts";
import { type GitLocation, readGitHead, readGitHeadOf } from "../../../work/capture/git/git-head.ts";
import { type GitCommand, type GitOutput, runGit } from "../../../work/capture/git/run-git.ts";
import type { Environment } from "../../../work/machine/environment.ts";
import type { SnapshotNotes } from "../snapshot/snapshots.ts";
import type { FileMode } from "../snapshot/snapshot-file.ts";

/** The repository that a project is in, and the index that we keep of it. */
export interface GitTree {
  readonly git: GitLocation;
  readonly index: string;
  readonly env: Environment;
  readonly timeoutMs: number;
}

/** A file that is not as HEAD has it. */
export interface ChangedPath {
  /** Relative to the project's root. */
  readonly path: string;
  /** What HEAD has there. */
  readonly committed: { readonly mode: FileMode; readonly blob: string } | null;
}

export interface GitStatusNow extends Pick<SnapshotNotes, "head" | "branch" | "repositories"> {
  readonly changed: readonly ChangedPath[];
  /** Names that are no text cannot be stored. */
  readonly unnamed: number;
}

/** More are not looked at: then the look has failed. */
const MOST_CHANGED = 20_000;

/** Runs git for a look; throws why it could not. */
export async function git(
  tree: GitTree,
  args: readonly string[],
  more: Partial<GitCommand> = {},
): Promise<string[]> {
  const { git: at, env, timeoutMs } = tree;
  const { records, reason } = await runGit({ top: at.top, env, timeoutMs, args, ...more });
  if (reason !== undefined) throw new Error(reason);
  return records;
}

/** What differs from HEAD on the disk, no matter what changed it. Nothing in `.git` is written. */
export async function readStatus(tree: GitTree, seededFor: string | null | undefined): Promise<GitStatusNow> {
  const { git: at, index } = tree;
  const { settings, reason } = await blankForeignPrograms({ top: at.top, ...tree });
  if (reason !== undefined) throw new Error(reason);
  const head = readGitHeadOf(at).head;
  if (head !== seededFor || !existsSync(index)) await seedIndex(tree, settings);
  // A git that was killed leaves its lock behind; only one look at a time is at work.
  rmSync(`${index}.lock`, { force: true });
  const paths = at.prefix === "" ? [] : ["--", at.prefix];
  return parse(
    await git(tree, [...STATUS_ARGS, ...paths], {
      settings,
      privateIndex: index,
      maxOutputBytes: 64 * 2 ** 20,
    }),
    tree,
  );
}

/**
 * Begins our index as a copy of the repository's, which knows the times of unchanged files. Files that it says are to be
 * taken for unchanged are looked at all the same.
 */
async function seedIndex(tree: GitTree, settings: ReadonlyMap<string, string>): Promise<void> {
  const { git: at, index } = tree;
  const theirs = join(at.gitDir, "index");
  if (statSync(theirs, { throwIfNoEntry: false }) === undefined) return rmSync(index, { force: true });
  rmSync(`${index}.lock`, { force: true });
  const { atime, mtimeMs } = statSync(theirs);
  copyFileSync(theirs, index);
  // By its time git tells which files may have been written again since: a copy that looks younger would hide their changes.
  utimesSync(index, atime, (mtimeMs - 0.01) / 1000);
  const own = { settings, privateIndex: index, maxOutputBytes: 64 * 2 ** 20 };
  const hidden = (await git(tree, ["ls-files", "-v", "-z", "--full-name"], own))
    .filter((record) => /^[a-z] /.test(record))
    .map((record) => record.slice(2));
  if (hidden.length === 0) return;
  const input = hidden.map((path) => `${path}\0`).join("");
  await git(tree, ["update-index", "--no-assume-unchanged", "-z", "--stdin"], { ...own, input });
}

const SUBMODULE = "160000";

function parse(records: GitOutput["records"] & object, { git: at }: GitTree): GitStatusNow {
  let head: string | null = null;
  let branch: string | null = null;
  let unnamed = 0;
  const changed = new Map<string, ChangedPath>();
  const repositories: { path: string; head: string | null }[] = [];
  for (const record of records) {
    if (record.startsWith("# branch.oid ")) head = unless("(initial)", record.slice(13));
    else if (record.startsWith("# branch.head ")) branch = unless("(detached)", record.slice(14));
    const found = parseRecord(record);
    const path = found?.path.slice(at.prefix.length);
    if (found === undefined || path === undefined || isOurs(path)) continue;
    if (path.endsWith("/") || found.isSubmodule) {
      const folder = path.replace(/\/$/, "");
      repositories.push({ path: folder, head: readGitHead(join(at.top, at.prefix, folder))?.head ?? null });
    } else if (path.includes("\uFFFD")) unnamed++;
    else if (!changed.get(path)?.committed) changed.set(path, { path, committed: found.committed });
  }
  if (changed.size > MOST_CHANGED) throw new Error(`more than ${MOST_CHANGED} files differ from the commit`);
  return { head, branch, changed: [...changed.values()], repositories, unnamed };
}

/** Another project below may have a store too. */
const isOurs = (path: string) => path.split("/").includes(".cairn");

/** Fields before the path, by kind of record; and where the mode and the blob of HEAD stand. */
const LAYOUT = { "1": [8, 3, 6], u: [10, 4, 8] } as const;

function parseRecord(record: string) {
  const kind = record.slice(0, 1);
  if (kind === "?") return { path: record.slice(2), committed: null, isSubmodule: false };
  if (kind !== "1" && kind !== "u") return undefined;
  const [before, modeAt, blobAt] = LAYOUT[kind];
  const fields = record.split(" ", before);
  // Not split further, because a path may contain spaces.
  const path = record.slice(fields.join(" ").length + 1);
  const [mode = "", blob = ""] = [fields[modeAt], fields[blobAt]];
  const isSubmodule = fields.slice(3, before).includes(SUBMODULE);
  const committed = /^0*$/.test(blob) || isSubmodule ? null : { mode: mode as FileMode, blob };
  return { path, committed, isSubmodule };
}

const unless = (placeholder: string, value: string) => (value === placeholder ? null : value);
