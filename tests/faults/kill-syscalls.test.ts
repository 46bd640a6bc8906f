import { describe, expect, it } from "vitest";

import { acknowledged, checkAftermath } from "./support/aftermath.ts";
import { inLanes } from "./support/child.ts";
import { disturb, pointsIn, type Job } from "./support/disturb.ts";
import { useFolders } from "./support/folders.ts";
import { bundle } from "./support/program.ts";
import { report, scaled, skipLoudly, TIMEOUT_MS } from "./support/scale.ts";
import { sample, whyNoStrace } from "./support/strace.ts";

const folders = useFolders();
const isSkipped = whyNoStrace && skipLoudly("kill -9 at every system call", whyNoStrace);

describe.skipIf(isSkipped)("a writer that is killed at a system call that changes the store", () => {
  it(
    "loses nothing that was acknowledged, and leaves nothing half done, at any of them",
    async () => {
      const job: Job = {
        program: bundle("writer", folders.onDisk()),
        // Makes a store, commits, prunes, sweeps, commits again: every kind of change there is.
        operations: ["open", "commit:4", "prune:2", "commit:1", "close"],
        newFolder: folders.inMemory,
      };
      const points = sample(await pointsIn(job), scaled(12, Infinity));
      expect(points.length).toBeGreaterThanOrEqual(scaled(25, 60));
      let acks = 0;
      await inLanes(points, 2, async (point) => {
        const { store, messages } = await disturb(job, point, { kind: "signal=KILL" });
        await checkAftermath(store, messages).catch((cause: unknown) => {
          throw new Error(`after a kill at ${JSON.stringify(point)}`, { cause });
        });
        acks += acknowledged(messages).length;
      });
      expect(acks).toBeGreaterThanOrEqual(points.length);
      report(
        `${points.length} kills, one at each changing system call: ${acks} acknowledged, 0 lost`,
        "`kill -9` at each system call by which a commit changes a file",
      );
    },
    TIMEOUT_MS,
  );
});
