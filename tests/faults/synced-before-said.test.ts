import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

import { Sandbox } from "../cli/support/sandbox.ts";
import type { Told } from "./programs/writer.ts";
import { start } from "./support/child.ts";
import { useFolders } from "./support/folders.ts";
import { bundle } from "./support/program.ts";
import { report, scaled, skipLoudly, TIMEOUT_MS } from "./support/scale.ts";
import { whyNoStrace } from "./support/strace.ts";

const folders = useFolders();
const isSkipped = whyNoStrace && skipLoudly("that nothing is acknowledged before it is synced", whyNoStrace);

/** Killing a process never shows a missing sync, because the operating system lives on: so the order is looked at itself. */
describe.skipIf(isSkipped)("an acknowledgement", () => {
  it(
    "is given only when everything that was written to the log before has been synced",
    async () => {
      const folder = folders.onDisk();
      const [log, store] = [join(folder, "strace.log"), join(folder, "store")];
      const commits = scaled(20, 200);
      const operations = ["open", `commit:${commits}`, "prune:3", `commit:${commits}`];
      const calls = "trace=write,pwrite64,ftruncate,fsync,fdatasync";
      const wrapper = ["strace", "-qq", "-y", "-s", "24", "-o", log, "-e", calls];
      const { status } = await start<Told>(bundle("writer", folders.onDisk()), [store, ...operations], {
        wrapper,
      }).ended();
      expect(status).toBe(0);
      const { said, synced, early } = readOrder(readFileSync(log, "utf8").split("\n"));
      expect(early).toEqual([]);
      expect(said).toBe(2 * commits);
      expect(synced).toBeGreaterThanOrEqual(2 * commits);
      report(
        `${said} acknowledgements, each after a sync of all that was written before: ${synced} syncs`,
        "a commit is acknowledged before it is on the disk: looked for, not found",
      );
    },
    TIMEOUT_MS,
  );
});

describe.skipIf(isSkipped)("the first checkpoint of a project", () => {
  it("is saved in a folder whose own name is synced", () => {
    const box = new Sandbox();
    try {
      const log = join(box.home, "strace.log");
      const [program = "", ...args] = box.argv(["now"]);
      const trace = ["-qq", "-y", "-o", log, "-e", "trace=fsync,mkdir", program, ...args];
      const { status } = spawnSync("strace", trace, { cwd: box.folder, env: box.environment() });
      expect(status).toBe(0);
      const lines = readFileSync(log, "utf8").split("\n");
      const made = lines.findIndex((line) => line.includes(`"${join(box.folder, ".cairn")}"`));
      const synced = lines.findIndex((line) => line.startsWith("fsync(") && line.includes(`<${box.folder}>`));
      expect(made).toBeGreaterThanOrEqual(0);
      expect(synced).toBeGreaterThan(made);
    } finally {
      box.remove();
    }
  });
});

describe.skipIf(isSkipped)("a store that is brought back", () => {
  it.each([
    ["from a backup", ["backup", "all.backup"], ["backup", "restore", "all.backup"]],
    ["from a mirror", ["mirror"], ["mirror", "restore"]],
  ])("%s is said to be there when its bytes and its names are synced", (_, keep, restore) => {
    const box = new Sandbox();
    try {
      box.run(["goal", "Ship it"]);
      expect(box.run(keep).status).toBe(0);
      const store = join(box.folder, ".cairn");
      rmSync(store, { recursive: true });
      const log = join(box.home, "strace.log");
      const [program = "", ...args] = box.argv(restore);
      const calls = "trace=write,fsync,fdatasync,link,linkat";
      const trace = ["-f", "-qq", "-y", "-o", log, "-e", calls, program, ...args];
      const { status } = spawnSync("strace", trace, { cwd: box.folder, env: box.environment() });
      expect(status).toBe(0);
      const lines = readFileSync(log, "utf8").split("\n");
      const at = (pattern: RegExp) => lines.findIndex((line) => pattern.test(line));
      const named = at(new RegExp(`link(at)?\\(.*"${store}/store.sqlite"`));
      const bytes = at(/f(?:data)?sync\(\d+<.*\/\.backup-\w+\/store\.sqlite>/);
      const inside = lines.findLastIndex((line) => line.includes("fsync(") && line.includes(`<${store}>`));
      const outside = lines.findLastIndex(
        (line) => line.includes("fsync(") && line.includes(`<${box.folder}>`),
      );
      const said = at(/write\(1<.*Brought back/);
      expect(Math.min(bytes, named)).toBeGreaterThanOrEqual(0);
      expect(bytes).toBeLessThan(named);
      expect(Math.min(inside, outside)).toBeGreaterThan(named);
      expect(said).toBeGreaterThan(Math.max(inside, outside));
    } finally {
      box.remove();
    }
  });
});

/** Goes through a recording, and notes what was said while something written was not synced yet. */
function readOrder(lines: readonly string[]): { said: number; synced: number; early: string[] } {
  let said = 0;
  let synced = 0;
  let unsynced: string | undefined;
  const early: string[] = [];
  for (const line of lines) {
    const isLog = line.includes("store.sqlite-wal>");
    if (isLog && /^(pwrite64|ftruncate)\(/.test(line)) unsynced = line;
    if (isLog && /^f(data)?sync\(.* = 0$/.test(line)) {
      unsynced = undefined;
      synced++;
    }
    if (!line.startsWith("write(1<") || !line.includes(String.raw`{\"did\":\"commit\"`)) continue;
    said++;
    if (unsynced !== undefined) early.push(unsynced);
  }
  return { said, synced, early };
}
