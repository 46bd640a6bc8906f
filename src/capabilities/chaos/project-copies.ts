import { hash } from "node:crypto";
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { CheckpointError } from "../../core/errors.ts";

/** A copy of the project, and the file of events beside it. */
export interface ProjectCopy {
  readonly root: string;
  readonly log: string;
}

/** Left out of copies, and of what is compared. Packages are linked. */
const LEFT_OUT = [".git", ".cairn", "node_modules"];
const MOST_FILES = 5000;
const MOST_MB = 200;

export type ProjectCopies = ReturnType<typeof projectCopies>;

/** Copies of the project as it was when this was called, in a temporary folder: git and stores of the project are out of reach. */
export function projectCopies(root: string, files: readonly string[] | undefined) {
  const base = mkdtempSync(join(tmpdir(), "cairn-chaos-"));
  const original = join(base, "original");
  const close = () => rmSync(base, { recursive: true, force: true });
  try {
    copyOnce(root, original, files);
  } catch (error) {
    close();
    throw error;
  }
  let made = 0;
  /** Hands out a copy that is removed afterwards. */
  const inCopy = async <Value>(use: (copy: ProjectCopy) => Promise<Value>): Promise<Value> => {
    const folder = join(base, String(++made));
    const copy = join(folder, basename(root) || "project");
    mkdirSync(folder);
    cpSync(original, copy, { recursive: true, verbatimSymlinks: true });
    try {
      return await use({ root: copy, log: join(folder, "events.jsonl") });
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    }
  };
  return { inCopy, close };
}

function copyOnce(root: string, original: string, files: readonly string[] | undefined): void {
  let [count, bytes] = [0, 0];
  const filter = (path: string) => {
    if (files === undefined && LEFT_OUT.includes(basename(path))) return false;
    const stat = lstatSync(path);
    if (stat.isFile()) [count, bytes] = [count + 1, bytes + stat.size];
    if (count > MOST_FILES || bytes > MOST_MB * 2 ** 20) throw tooMuch(root);
    return stat.isFile() || stat.isDirectory() || stat.isSymbolicLink();
  };
  mkdirSync(original);
  for (const name of files ?? readdirSync(root)) {
    if (!existsSync(join(root, name)))
      throw new CheckpointError("not-found", `There is no "${name}" in the project to copy.`, {
        details: { name },
      });
    cpSync(join(root, name), join(original, name), { recursive: true, filter, verbatimSymlinks: true });
  }
  const packages = join(root, "node_modules");
  if (existsSync(packages) && !existsSync(join(original, "node_modules")))
    symlinkSync(packages, join(original, "node_modules"));
}

function tooMuch(root: string): CheckpointError {
  return new CheckpointError(
    "usage",
    `"${root}" has more than ${MOST_FILES} files or ${MOST_MB} MB, which is too much to copy for every run.`,
    { hint: "Name in the chaos file what the workflow needs: files: [scripts, pipeline.yaml]" },
  );
}

/** The files of a copy, and a hash of what each contains. */
export function filesIn(root: string, below = ""): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of readdirSync(join(root, below), { withFileTypes: true })) {
    const name = `${below}${entry.name}`;
    const path = join(root, name);
    if (LEFT_OUT.includes(entry.name)) continue;
    if (entry.isDirectory())
      for (const [inner, digest] of filesIn(root, `${name}/`)) found.set(inner, digest);
    else if (entry.isFile()) found.set(name, hash("sha256", readFileSync(path)));
    else if (entry.isSymbolicLink()) found.set(name, readlinkSync(path));
  }
  return found;
}
