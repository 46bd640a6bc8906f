import { describe, expect, it } from "vitest";

import { acknowledged, checkAftermath } from "./support/aftermath.ts";
import { inLanes } from "./support/child.ts";
import { disturb, pointsIn, type Job } from "./support/disturb.ts";
import { useFolders } from "./support/folders.ts";
import { bundle } from "./support/program.ts";
import { report, scaled, skipLoudly, TIMEOUT_MS } from "./support/scale.ts";
import { sample, whyNoStrace, type Fault, type Point } from "./support/strace.ts";

const folders = useFolders();
const isSkipped = whyNoStrace && skipLoudly("I/O errors at every system call", whyNoStrace);

const FAULTS: readonly Fault[] = [
  { kind: "error=EIO" },
  { kind: "error=EIO", isForever: true },
  { kind: "error=ENOSPC" },
];

const BEFORE_CLOSE = ["open", "commit:4", "prune:2", "commit:1"];

describe.skipIf(isSkipped)("a writer whose disk fails at a system call", () => {
  it.for(FAULTS)(
    "names the error, and loses nothing that was acknowledged: %o",
    { timeout: TIMEOUT_MS },
    async (fault) => {
      const job: Job = {
        program: bundle("writer", folders.onDisk()),
        operations: [...BEFORE_CLOSE, "close"],
        newFolder: folders.inMemory,
      };
      const all = await pointsIn(job);
      const early = await pointsIn({ ...job, operations: BEFORE_CLOSE });
      const points = sample(all, scaled(48, Infinity));
      expect(points.length).toBeGreaterThanOrEqual(40);
      let named = 0;
      await inLanes(points, 2, async (point) => {
        const isEarly = early.some(({ name, ordinal }) => name === point.name && ordinal === point.ordinal);
        if (await isNamed(job, point, fault, isEarly)) named++;
      });
      expect(named).toBeGreaterThanOrEqual(points.length / 2);
      const rest = points.length - named;
      report(`${points.length} × ${fault.kind}${fault.isForever ? " from then on" : ""}: ${named} named, ${rest} without effect, 0 lost`);
    },
  );
});

/** Strikes, and tells whether the writer noticed. What it may overlook is written here, and nowhere else. */
async function isNamed(job: Job, point: Point, fault: Fault, isEarly: boolean): Promise<boolean> {
  const { store, messages, status, signal, stderr } = await disturb(job, point, fault);
  const failures = messages.flatMap((message) => ("failed" in message ? [message.failure] : []));
  const what = `${fault.kind} at ${JSON.stringify(point)}: status ${status}, ${JSON.stringify(failures)}`;
  expect({ signal, stderr }, what).toEqual({ signal: null, stderr: "" });
  expect(failures.map(({ code }) => code), what).not.toContain(null);
  const late = acknowledged(messages).filter(({ isLate }) => isLate);
  // The operating system may have dropped what it could not write: no later "ok" of this handle is worth anything.
  if (point.name === "fsync" || fault.kind === "error=EIO") expect(late, what).toEqual([]);
  await checkAftermath(store, messages).catch((cause: unknown) => {
    throw new Error(`after ${what}`, { cause });
  });
  if (status !== 0) return true;
  // Everything is in the log already when a store is closed, and SQLite ignores the result of syncing a folder.
  expect(isEarly && point.file !== "the folder", `must be noticed: ${what}`).toBe(false);
  expect(acknowledged(messages), what).toHaveLength(5);
  return false;
}
