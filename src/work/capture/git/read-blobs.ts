import { objectIdOf } from "../../../core/objects/object-id.ts";
import { git, type GitTree } from "./git-tree.ts";
import { runGitForBytes } from "./run-git.ts";

/** How much one git prints at most, and for how many files. */
const [MOST_BYTES, MOST_FILES] = [128 * 2 ** 20, 500];

export interface WantedBlob {
  readonly path: string;
  readonly blob: string;
  readonly mode: string;
}

const isLink = ({ mode }: WantedBlob) => mode === "120000";
/** A line names a file for git. */
const isOneLine = (file: WantedBlob) => isLink(file) || !file.path.includes("\n");

/**
 * What git would write to the disk for these blobs, by path. Left out is what a filter of its own makes, such as Git LFS: it
 * is not run here. So is what git does not have any more.
 */
export async function readBlobs(tree: GitTree, wanted: readonly WantedBlob[]): Promise<Map<string, Buffer>> {
  const contents = new Map<string, Buffer>();
  for (let start = 0; start < wanted.length; start += MOST_FILES) {
    const some = wanted.slice(start, start + MOST_FILES);
    const filtered = await pathsWithFilter(tree, some);
    const plain = some.filter((file) => isLink(file) || !filtered.has(file.path));
    for (const areLinks of [true, false])
      await readBatch(
        tree,
        plain.filter((file) => isOneLine(file) && isLink(file) === areLinks),
        contents,
      );
    for (const file of plain.filter((each) => !isOneLine(each))) {
      const bytes = await catFile(tree, ["--filters", `--path=${tree.git.prefix}${file.path}`, file.blob]);
      if (bytes !== undefined) contents.set(file.path, bytes);
    }
  }
  return contents;
}

async function catFile({ command }: GitTree, args: readonly string[], input?: string) {
  const { bytes } = await runGitForBytes({
    ...command,
    args: ["cat-file", ...args],
    input,
    maxOutputBytes: MOST_BYTES,
  });
  return bytes;
}

async function pathsWithFilter(tree: GitTree, files: readonly WantedBlob[]): Promise<ReadonlySet<string>> {
  const { prefix } = tree.git;
  const input = files.map(({ path }) => `${prefix}${path}\0`).join("");
  const args = ["check-attr", "-z", "--stdin", "filter", "ident", "working-tree-encoding"];
  const records = await git(tree, args, { input });
  const found = new Set<string>();
  for (let start = 0; start + 2 < records.length; start += 3)
    if (!["unspecified", "unset"].includes(records[start + 2] as string))
      found.add((records[start] as string).slice(prefix.length));
  return found;
}

/**
 * The size that git announces is that before line endings are converted, so each content ends where git reports that it does
 * not have an object of a name that nobody can guess: it is made of the names of all that are asked for.
 */
async function readBatch(
  tree: GitTree,
  files: readonly WantedBlob[],
  contents: Map<string, Buffer>,
): Promise<void> {
  const [first] = files;
  if (first === undefined) return;
  const { gitDir, prefix } = tree.git;
  const names = files.map(({ blob, path }) => blob + path).join("\n");
  const end = objectIdOf(Buffer.from(`${gitDir}\n${names}`));
  // Links are not converted.
  const [option, nameOf] = isLink(first)
    ? [[], () => ""]
    : [["--filters"], ({ path }: WantedBlob) => ` ${prefix}${path}`];
  const input = files.map((file) => `${file.blob}${nameOf(file)}\n${end}\n`).join("");
  const bytes = await catFile(tree, ["--batch", ...option], input);
  const separator = Buffer.from(`\n${end} missing\n`);
  let start = 0;
  for (const { path, blob } of files) {
    const stop = bytes?.indexOf(separator, start) ?? -1;
    if (bytes === undefined || stop < 0) return;
    const headerEnd = bytes.indexOf(10, start);
    // What git does not have is one line, which ends where the separator begins.
    const header = bytes.toString("latin1", start, headerEnd);
    if (header.startsWith(`${blob} blob `) && headerEnd < stop)
      contents.set(path, Buffer.from(bytes.subarray(headerEnd + 1, stop)));
    start = stop + separator.length;
  }
}
