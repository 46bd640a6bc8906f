import { execFile } from "node:child_process";
import { chmodSync, cpSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { files, filesLog, now, rewind, verify } from "../../src/doors/library/project.ts";
import { openProject } from "../../src/doors/library/open-project.ts";
import { inLanes } from "../faults/support/child.ts";
import { report, scaled, TIMEOUT_MS } from "../faults/support/scale.ts";
import { FilesBox, treeOf } from "./support/tree.ts";

const PROGRAM = join(import.meta.dirname, "programs/killed-rewind.ts");

let box: FilesBox;
let moment: string;
let then: Map<string, string>;

beforeEach(async () => {
  box = new FilesBox();
  for (let at = 0; at < 6; at++) box.write(`src/kept-${at}.txt`, `first ${at}\n`);
  box.write("folder/inside", "a file in a folder\n");
  box.write("tool", "#!/bin/sh\n");
  box.commitAll("first");
  box.write("untracked", "not committed yet\n");
  symlinkSync("untracked", box.path("link"));
  await now(box.project, { files: true });
  moment = (await filesLog(box.project, {})).moments[0]?.checkpoint_id ?? "";
  then = treeOf(box.root);
  for (let at = 0; at < 6; at++) box.write(`src/kept-${at}.txt`, `second ${at}\n`.repeat(at * 100));
  rmSync(box.path("folder"), { recursive: true });
  box.write("folder", "a file in place of a folder\n");
  rmSync(box.path("untracked"));
  box.write("untracked/now", "a folder in place of a file\n");
  chmodSync(box.path("tool"), 0o755);
  rmSync(box.path("link"));
  box.write("new/deep/file", "to be deleted\n");
  await box.project.stores.close();
});

afterEach(() => box.remove());

/** Runs the rewind in a copy of the project, killed at a point; without one it says how many there are. */
async function rewindIn(
  root: string,
  point: number,
): Promise<{ readonly points: number; readonly wasKilled: boolean }> {
  cpSync(box.root, root, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  const argv = [PROGRAM, root, box.home, moment, String(point)];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, argv);
    return { points: Number(stdout), wasKilled: false };
  } catch (error) {
    if ((error as { signal?: string }).signal !== "SIGKILL") throw error;
    return { points: 0, wasKilled: true };
  }
}

describe("a rewind that is killed", () => {
  it(
    "is finished or has not begun, at whatever moment, and leaves what others wrote since",
    async () => {
      const before = treeOf(box.root);
      const { points } = await rewindIn(join(box.base, "whole"), 0);
      expect(treeOf(join(box.base, "whole"))).toEqual(then);
      const most = scaled(50, points);
      const chosen = [
        ...new Set(Array.from({ length: most }, (_, at) => 1 + Math.floor((at * points) / most))),
      ];
      let [kills, finished, foreign] = [0, 0, 0];
      await inLanes(chosen, 3, async (point) => {
        const root = join(box.base, `killed-${point}`);
        const { wasKilled } = await rewindIn(root, point);
        kills += Number(wasKilled);
        const written = { path: `src/kept-${point % 6}.txt`, content: `by somebody else ${point}\n` };
        const isForeign = point % 3 === 0;
        const stood = treeOf(root).get(written.path);
        if (isForeign) writeFileSync(join(root, written.path), written.content);
        const project = openProject({ path: root, env: { PATH: box.env["PATH"], HOME: box.home } });
        await files(project);
        const after = treeOf(root);
        const overwritten = isForeign && after.get(written.path) !== `file ${written.content}`;
        expect({ point, overwritten }).toEqual({ point, overwritten: false });
        if (isForeign) after.set(written.path, stood ?? "");
        foreign += Number(isForeign);
        const isThen = [...then].every(
          ([path, content]) => (isForeign && path === written.path) || after.get(path) === content,
        );
        const expected = new Map(isThen ? then : before);
        if (isForeign) expected.set(written.path, stood ?? "");
        expect({ point, after: Object.fromEntries(after) }).toEqual({
          point,
          after: Object.fromEntries(expected),
        });
        finished += Number(isThen);
        if (isThen && !isForeign) await rewind(project, { undo: true });
        const undone = isThen && !isForeign ? treeOf(root) : before;
        expect({ point, undone: Object.fromEntries(undone) }).toEqual({
          point,
          undone: Object.fromEntries(before),
        });
        expect((await verify(project, {})).damage).toEqual([]);
        await project.stores.close();
        rmSync(root, { recursive: true });
      });
      expect(kills).toBe(chosen.length);
      expect(finished).toBeGreaterThan(chosen.length / 4);
      expect(finished).toBeLessThan(chosen.length);
      report(
        `${kills} kills of a rewind, ${foreign} times with a file that another program wrote: 0 torn, 0 overwritten`,
        "`kill -9` at each change that a rewind makes to the disk",
      );
    },
    TIMEOUT_MS,
  );
});
