// Makes a store on a disk, turns the disk read-only, and tries to read and to write:
// node read-only-disk.mjs <mounted folder> <writer program> closed|log|log-alone
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openCairn } from "../../../src/doors/library/index.ts";
import { failureOf, say, type Failure } from "./say.ts";
import { advance, workAt, type Work } from "./work.ts";
import type { Told } from "./writer.ts";

export interface ReadBack {
  readonly files: readonly string[];
  readonly acknowledged: number;
  /** How many came back right, or why the store was not opened to read. */
  readonly read: { readonly right: number; readonly latest: number } | Failure;
  /** Why it was not opened, or written, to write. */
  readonly written: Failure | null;
  readonly isUntouched: boolean;
}

const [folder = "", writer = "", left = ""] = process.argv.slice(2);
const store = join(folder, "store");
const end = left === "closed" ? "close" : "die";
const { stdout } = spawnSync(process.execPath, [writer, store, "open", "commit:12", end], {
  encoding: "utf8",
});
const told = stdout
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Told);
const commits = told.filter((message) => "did" in message && message.did === "commit");
if (left === "log-alone") rmSync(join(store, "store.sqlite-shm"));
const remounted = spawnSync("sh", ["-c", 'mount -o remount,ro "$0"', folder], { encoding: "utf8" });
if (remounted.status !== 0) throw new Error(remounted.stderr);

const before = prints();
const read = await readAll().catch(failureOf);
const written = await write().then(() => null, failureOf);
const isUntouched = JSON.stringify(prints()) === JSON.stringify(before);
say({
  files: Object.keys(before),
  acknowledged: commits.length,
  read,
  written,
  isUntouched,
} satisfies ReadBack);

async function readAll(): Promise<{ right: number; latest: number }> {
  const cairn = await openCairn({ path: store, readOnly: true });
  const trail = cairn.trail<Work>("main");
  let right = 0;
  for (const { hash, step } of commits) {
    if (JSON.stringify((await trail.load(hash)).state) === JSON.stringify(workAt(step))) right++;
  }
  const latest = (await trail.load()).state.step;
  await cairn.close();
  return { right, latest };
}

async function write(): Promise<void> {
  const cairn = await openCairn({ path: store });
  await cairn.trail<Work>("main").commit(advance);
}

function prints(): Record<string, string> {
  return Object.fromEntries(
    readdirSync(store).map((name) => [
      name,
      createHash("sha256")
        .update(readFileSync(join(store, name)))
        .digest("hex"),
    ]),
  );
}
