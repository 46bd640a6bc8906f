import { createHash } from "node:crypto";
// As a whole: a Node that is too old lacks globSync, and shall say that it is too old.
import * as fs from "node:fs";
import { realpathSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";

import { foreignPath, isInside, withSlashes } from "../../../work/machine/recorded-path.ts";
import { errorCode } from "../../../work/machine/read-bounded.ts";
import type { Artifact } from "../run/run-state.ts";

/** A file as it is on disk now. */
export type FileFacts = Pick<Artifact, "path" | "sha256" | "size_bytes">;

/** A pattern that matches more files is a mistake, such as one that catches node_modules. */
const MAX_FILES = 10_000;

/** What a step's patterns match below the root. `missing` are patterns without a file; `refused` lead out of the project. */
export interface FoundOutputs {
  readonly paths: readonly string[];
  readonly missing: readonly string[];
  readonly refused: readonly string[];
}

export function findOutputs(patterns: readonly string[], root: string): FoundOutputs {
  if (patterns.length === 0) return { paths: [], missing: [], refused: [] };
  const paths = new Set<string>();
  const missing: string[] = [];
  const refused: string[] = [];
  const top = realpathSync(root);
  for (const pattern of patterns) {
    if (isAbsolute(pattern) || pattern.split(/[\\/]/).includes("..")) {
      refused.push(pattern);
      continue;
    }
    const found = filesOf(pattern, root);
    if (found.length === 0) missing.push(pattern);
    for (const path of found.slice(0, MAX_FILES)) {
      // A link in the project could lead anywhere, and its target would be read and registered.
      if (isInside(top, realpathSync(join(root, path)))) paths.add(path);
      else refused.push(path);
    }
  }
  return { paths: [...paths].toSorted(), missing, refused };
}

/** An existing file is taken literally, since it may be called `[id].ts`. */
function filesOf(pattern: string, root: string): string[] {
  if (isFile(join(root, pattern))) return [withSlashes(pattern.replace(/^\.\//, ""))];
  return fs
    .globSync(pattern, { cwd: root })
    .filter((path) => isFile(join(root, path)))
    .map((path) => withSlashes(path));
}

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

/** Size and hash of a file; undefined when it is gone. With `sync`, it survives a power cut from then on. */
export async function readFileFacts(
  root: string,
  path: string,
  { sync = false } = {},
): Promise<FileFacts | undefined> {
  // A registry that came from Windows may hold backslashes.
  const literal = join(root, path);
  const place = fs.existsSync(literal) ? literal : join(root, foreignPath(path));
  // Without waiting: nobody may ever write to a pipe that stands there.
  const file = await open(place, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK).catch((error: unknown) => {
    if (["ENOENT", "ENOTDIR", "ELOOP"].includes(errorCode(error) ?? "")) return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    // A device or a pipe has no end.
    if (!(await file.stat()).isFile()) return undefined;
    const hash = createHash("sha256");
    let size = 0;
    for await (const chunk of file.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      size += chunk.length;
    }
    if (sync) await file.sync();
    return { path, sha256: hash.digest("hex"), size_bytes: size };
  } finally {
    await file.close();
  }
}

/** Makes the names of new files durable: they live in their folders. */
export async function syncFolders(root: string, paths: readonly string[]): Promise<void> {
  for (const folder of new Set(paths.map((path) => dirname(join(root, path))))) {
    const handle = await open(folder, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
}
