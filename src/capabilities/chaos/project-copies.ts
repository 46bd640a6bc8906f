import { createHash } from "node:crypto";
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
import { basename, dirname, join, relative } from "node:path";
import { CheckpointError } from "../../core/errors.ts";
import { withSlashes } from "../../work/machine/recorded-path.ts";

/** A copy of the project, and the file of events beside it. */
export interface ProjectCopy {
  readonly root: string;
  readonly log: string;
  remove(): void;
}

/** Copies of the project as it was when this was called, in a temporary folder: git and stores of the project are out of reach. */
export interface ProjectCopies {
  make(): ProjectCopy;
  /** Removes everything. */
  close(): void;
}

/** Left out of copies, and of what is compared. Packages are linked. */
const LEFT_OUT = [".git", ".cairn", "node_modules"];
const MOST_FILES = 5000;
const MOST_BYTES = 200 * 2 ** 20;

export function projectCopies(root: string, files: readonly string[] | undefined): ProjectCopies {
  const base = mkdtempSync(join(tmpdir(), "cairn-chaos-"));
  const original = join(base, "original");
  try {
    copyOnce(root, original, files);
  } catch (error) {
    rmSync(base, { recursive: true, force: true });
    throw error;
  }
  let made = 0;
  return {
    make: () => {
      const folder = join(base, String(++made));
      const copy = join(folder, basename(root) || "project");
      mkdirSync(folder);
      cpSync(original, copy, { recursive: true, verbatimSymlinks: true });
      return {
        root: copy,
        log: join(folder, "events.jsonl"),
        remove: () => rmSync(folder, { recursive: true, force: true }),
      };
    },
    close: () => rmSync(base, { recursive: true, force: true }),
  };
}

function copyOnce(root: string, original: string, files: readonly string[] | undefined): void {
  const size = { files: 0, bytes: 0 };
  const counted = (path: string) => {
    if (files === undefined && LEFT_OUT.includes(basename(path))) return false;
    const stat = lstatSync(path);
    if (stat.isFile()) {
      size.files++;
      size.bytes += stat.size;
    }
    if (size.files > MOST_FILES || size.bytes > MOST_BYTES) throw tooMuch(root);
    return stat.isFile() || stat.isDirectory() || stat.isSymbolicLink();
  };
  mkdirSync(original);
  for (const name of files ?? readdirSync(root)) {
    const from = join(root, name);
    if (!existsSync(from))
      throw new CheckpointError("not-found", `There is no "${name}" in the project to copy.`, {
        details: { name },
      });
    mkdirSync(dirname(join(original, name)), { recursive: true });
    if (counted(from))
      cpSync(from, join(original, name), { recursive: true, filter: counted, verbatimSymlinks: true });
  }
  const packages = join(root, "node_modules");
  if (existsSync(packages) && !existsSync(join(original, "node_modules")))
    symlinkSync(packages, join(original, "node_modules"));
}

function tooMuch(root: string): CheckpointError {
  return new CheckpointError(
    "usage",
    `"${root}" has more than ${MOST_FILES} files or ${MOST_BYTES / 2 ** 20} MB, which is too much to copy for every run.`,
    { hint: "Name in the chaos file what the workflow needs: files: [scripts, pipeline.yaml]" },
  );
}

/** The files of a copy, and a hash of what each contains. */
export function filesIn(root: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const look = (folder: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (LEFT_OUT.includes(entry.name)) continue;
      if (entry.isDirectory()) look(path);
      else if (entry.isFile())
        found.set(named(path), createHash("sha256").update(readFileSync(path)).digest("hex"));
      else if (entry.isSymbolicLink()) found.set(named(path), readlinkSync(path));
    }
  };
  const named = (path: string) => withSlashes(relative(root, path));
  look(root);
  return found;
}
