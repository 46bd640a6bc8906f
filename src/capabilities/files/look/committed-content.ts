import { objectIdOf } from "../../../core/objects/object-id.ts";
import { runGitForBytes } from "../../../work/capture/git/run-git.ts";
import { git, type GitTree } from "./git-status.ts";

/** How much one git prints at most, and for how many files. */
const [MOST_BYTES, MOST_FILES] = [128 * 2 ** 20, 500];

export interface WantedBlob {
  /** Relative to the project's root. */
  readonly path: string;
  readonly blob: string;
  readonly isLink: boolean;
}

/**
 * What git would write to the disk for these blobs, by path. Left out is what a filter of its own makes, such as Git LFS: it
 * is not run here. So is what git does not have any more.
 */
export async function readCommitted(
  tree: GitTree,
  wanted: readonly WantedBlob[],
): Promise<Map<string, Buffer>> {
  const contents = new Map<string, Buffer>();
  for (let start = 0; start < wanted.length; start += MOST_FILES) {
    const some = wanted.slice(start, start + MOST_FILES);
    const filtered = await pathsWithFilter(tree, some);
    const plain = some.filter(({ path, isLink }) => isLink || !filtered.has(path));
    // A line names a file for git, so a name that has two lines is asked for by itself.
    const isOneLine = ({ path, isLink }: WantedBlob) => isLink || !path.includes("\n");
    const lines = plain.filter(isOneLine);
    for (const links of [true, false]) {
      const same = lines.filter(({ isLink }) => isLink === links);
      await readBatch(tree, same, links, contents);
    }
    for (const file of plain.filter((each) => !isOneLine(each))) await readAlone(tree, file, contents);
  }
  return contents;
}

async function readAlone(
  { git: at, env, timeoutMs, index }: GitTree,
  { path, blob }: WantedBlob,
  contents: Map<string, Buffer>,
): Promise<void> {
  const args = ["cat-file", "--filters", `--path=${at.prefix}${path}`, blob];
  const command = { top: at.top, env, timeoutMs, args, privateIndex: index, maxOutputBytes: MOST_BYTES };
  const { bytes } = await runGitForBytes(command);
  if (bytes !== undefined) contents.set(path, bytes);
}

async function pathsWithFilter(
  { git: at, ...tree }: GitTree,
  files: readonly WantedBlob[],
): Promise<ReadonlySet<string>> {
  const input = files.map(({ path }) => `${at.prefix}${path}\0`).join("");
  const args = ["check-attr", "-z", "--stdin", "filter", "ident", "working-tree-encoding"];
  const records = await git({ git: at, ...tree }, args, { input, privateIndex: tree.index });
  const found = new Set<string>();
  for (let start = 0; start + 2 < records.length; start += 3)
    if (records[start + 2] !== "unspecified" && records[start + 2] !== "unset")
      found.add((records[start] as string).slice(at.prefix.length));
  return found;
}

/**
 * The size that git announces is that before line endings are converted, so each content ends where git reports that it does
 * not have an object of a name that nobody can guess: it is made of the names of all that are asked for.
 */
async function readBatch(
  { git: at, env, timeoutMs, index }: GitTree,
  files: readonly WantedBlob[],
  areLinks: boolean,
  contents: Map<string, Buffer>,
): Promise<void> {
  if (files.length === 0) return;
  const end = objectIdOf(
    Buffer.from(`${at.gitDir}\n${files.map(({ blob, path }) => blob + path).join("\n")}`),
  );
  // Links are not converted.
  const lines = files.map(({ blob, path }) => `${blob}${areLinks ? "" : ` ${at.prefix}${path}`}\n${end}\n`);
  const args = ["cat-file", "--batch", ...(areLinks ? [] : ["--filters"])];
  const command = { top: at.top, env, timeoutMs, args, input: lines.join(""), privateIndex: index };
  const { bytes } = await runGitForBytes({ ...command, maxOutputBytes: MOST_BYTES });
  if (bytes === undefined) return;
  const separator = Buffer.from(`\n${end} missing\n`);
  let start = 0;
  for (const { path, blob } of files) {
    const stop = bytes.indexOf(separator, start);
    const headerEnd = bytes.indexOf(10, start);
    if (stop < 0) return;
    // What git does not have is one line, which ends where the separator begins.
    const isThere =
      bytes.toString("latin1", start, headerEnd).startsWith(`${blob} blob `) && headerEnd < stop;
    if (isThere) contents.set(path, Buffer.from(bytes.subarray(headerEnd + 1, stop)));
    start = stop + separator.length;
  }
}
