import { createHash } from "node:crypto";
import { closeSync, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";

import { CheckpointError } from "../../core/errors.ts";
import type { Database } from "../postgres/store/database.ts";
import { refuseLinks } from "../../core/store/private-files.ts";
import { readFileFacts, type FileFacts } from "../workflow/engine/artifacts.ts";
import { makeFolder } from "../workflow/engine/attempt-folder.ts";

const PART_BYTES = 256 * 1024;
/** PostgreSQL is no place for much bigger files, which every backup would copy. */
export const MAX_FILE_BYTES = 64 * 2 ** 20;

/** Makes a file's content available to all machines. What is there already is not sent again. */
export async function upload(
  database: Database,
  root: string,
  { path, sha256, size_bytes }: FileFacts,
  maxBytes: number,
): Promise<void> {
  if (size_bytes > maxBytes) throw tooBig(path, size_bytes, maxBytes);
  const key = Buffer.from(sha256, "hex");
  // It is young again, so that nobody deletes it before the run names it.
  const known = await database.patiently(() =>
    database.write("UPDATE @blobs SET since = now() WHERE sha256 = $1 AND part = 0 RETURNING part", [key]),
  );
  if (known.length > 0) return;
  const file = openSync(join(root, path), "r");
  try {
    // All parts or none, so that part 0 stands for the whole file.
    await database.repeatable("BEGIN", async (query) => {
      for (let part = 0, at = 0; part === 0 || at < size_bytes; part++, at += PART_BYTES) {
        const bytes = Buffer.alloc(Math.min(PART_BYTES, Math.max(0, size_bytes - at)));
        readSync(file, bytes, 0, bytes.length, at);
        await query("INSERT INTO @blobs(sha256, part, data) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING", [
          key,
          part,
          bytes,
        ]);
      }
    });
  } finally {
    closeSync(file);
  }
}

/** Puts a registered file where it belongs below `root`, unless it is there. What does not have its hash is refused. */
export async function download(
  database: Database,
  root: string,
  { path, sha256 }: Pick<FileFacts, "path" | "sha256">,
): Promise<void> {
  // The path comes from the store: it must lead neither out of the folder nor into what git or Cairn keep there.
  const parts = path.split(/[\\/]/);
  if (path.startsWith("/") || parts.some((part) => /^(?:\.\.|\.git|\.cairn)$/i.test(part)))
    throw outside(path);
  if ((await readFileFacts(root, path))?.sha256 === sha256) return;
  const target = join(root, path);
  refuseLinks(root, target);
  makeFolder(dirname(target));
  const partial = `${target}.${sha256.slice(0, 8)}.part`;
  const file = openSync(partial, "w", 0o644);
  const hash = createHash("sha256");
  try {
    for (let part = 0; ; part++) {
      const [row] = await database.read<{ data: Buffer }>(
        "SELECT data FROM @blobs WHERE sha256 = $1 AND part = $2",
        [Buffer.from(sha256, "hex"), part],
      );
      if (row === undefined) break;
      hash.update(row.data);
      writeSync(file, row.data);
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  if (hash.digest("hex") === sha256) return renameSync(partial, target);
  rmSync(partial, { force: true });
  throw new CheckpointError("corrupt", `The content of "${path}" is missing from the store, or damaged.`, {
    hint: "Repeat the step that made it: checkpoint resume RUN --redo STEP",
    details: { path, sha256 },
  });
}

function tooBig(path: string, bytes: number, limit: number): CheckpointError {
  return new CheckpointError(
    "usage",
    `"${path}" has ${bytes} bytes, more than the ${limit} that fit into the store.`,
    {
      hint: "Keep big files in a bucket, and register a small file that names them; or start workers with --max-file-mb.",
      details: { path, bytes, limit },
    },
  );
}

function outside(path: string): CheckpointError {
  return new CheckpointError("refused", `The registered path "${path}" leads out of the project.`, {
    details: { path },
  });
}
