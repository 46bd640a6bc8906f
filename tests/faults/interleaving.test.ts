import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";

import { openCairn, type Cairn } from "../../src/doors/library/index.ts";
import type { Claim } from "./programs/contender.ts";
import { advance, NO_WORK, workAt, type Work } from "./programs/work.ts";
import { useFolders } from "./support/folders.ts";
import { bundle } from "./support/program.ts";
import { TIMEOUT_MS } from "./support/scale.ts";

const folders = useFolders();

/** What the other process does, it does between two steps of this one, every time: a race would meet that only by luck. */
describe("upkeep, with another process at work in the middle of it", () => {
  it(
    "verify raises no alarm about what is pruned and swept away while it looks",
    async () => {
      const { cairn, folder } = await filled(360);
      const pruner = once(() => run("writer", [folder, "open", "prune:5", "close"]));
      const { damage } = await cairn.verify({ onProgress: pruner.step });
      expect(pruner.isDone()).toBe(true);
      expect(damage).toEqual([]);
      expect(await cairn.trail("main").history()).toHaveLength(5);
      await cairn.close();
    },
    TIMEOUT_MS,
  );

  it(
    "sweep spares what is committed again while it deletes",
    async () => {
      const { cairn, folder } = await filled(360);
      // The same states as the first of those that were pruned: their objects are garbage until this very moment.
      let claims: Claim[] = [];
      const committer = once(() => (claims = run<Claim>("contender", [folder, "own/1", "12"])));
      await cairn.trail("main").prune({ last: 1 }, { onProgress: committer.step });
      expect(committer.isDone()).toBe(true);
      expect(claims).toHaveLength(24);
      for (const claim of claims as Exclude<Claim, { failure: unknown }>[]) {
        expect((await cairn.trail<Work>(claim.trail).load(claim.hash)).state).toEqual(workAt(claim.step));
      }
      expect((await cairn.verify()).damage).toEqual([]);
      await cairn.close();
    },
    TIMEOUT_MS,
  );
});

/** A store with so many objects that they are looked at in several portions. */
async function filled(steps: number): Promise<{ cairn: Cairn; folder: string }> {
  const folder = folders.inMemory();
  const cairn = await openCairn({ path: folder });
  const trail = cairn.trail<Work>("main", { initial: NO_WORK });
  for (let step = 0; step < steps; step++) await trail.commit(advance);
  expect((await cairn.verify()).objects).toBeGreaterThan(1000);
  return { cairn, folder };
}

/** Runs a program to its end, and returns what it said. Waits without letting anything else go on here. */
function run<Message>(name: string, args: readonly string[]): Message[] {
  const program = bundle(name, folders.inMemory());
  const { status, stdout } = spawnSync(process.execPath, [program, ...args], { encoding: "utf8" });
  expect(status).toBe(0);
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Message);
}

/** Does the work at the first step only. */
function once(work: () => unknown): { step: () => void; isDone: () => boolean } {
  let isDone = false;
  const step = () => {
    if (!isDone) work();
    isDone = true;
  };
  return { step, isDone: () => isDone };
}
