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

/** The files of a copy, each with a hash of what it contains. */
export function filesIn(root: string, below = ""): [path: string, digest: string][] {
  return readdirSync(join(root, below), { withFileTypes: true })
    .filter(({ name }) => !LEFT_OUT.includes(name))
    .flatMap((entry) => {
      const name = `${below}${entry.name}`;
      const path = join(root, name);
      if (entry.isDirectory()) return filesIn(root, `${name}/`);
      if (entry.isSymbolicLink()) return [[name, readlinkSync(path)]];
      return entry.isFile() ? [[name, hash("sha256", readFileSync(path))]] : [];
    });
}
