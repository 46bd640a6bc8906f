import { beforeAll, describe, expect, it } from "vitest";

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
const job: Job = {
  program: bundle("writer", folders.onDisk()),
  operations: [...BEFORE_CLOSE, "close"],
  newFolder: folders.inMemory,
};

describe.skipIf(isSkipped)("a writer whose disk fails at a system call", () => {
  let [all, early]: [Point[], Point[]] = [[], []];
  beforeAll(async () => {
    all = await pointsIn(job);
    // A process that ends in good order closes its store; only one that dies shows where closing begins.
    early = await pointsIn({ ...job, operations: [...BEFORE_CLOSE, "die"] });
  });

  it.for(FAULTS)(
    "names the error, and loses nothing that was acknowledged: %o",
    { timeout: TIMEOUT_MS },
    async (fault) => {
      // In a quick run each point is struck by one of the faults, in a full run by all of them.
      const turns = scaled(FAULTS.length, 1);
      const points = sample(all, scaled(12, Infinity)).filter(
        (_, at) => at % turns === FAULTS.indexOf(fault) % turns,
      );
      expect(points.length).toBeGreaterThanOrEqual(scaled(9, 40));
      let named = 0;
      await inLanes(points, 2, async (point) => {
        const outcome = await strike(job, point, fault);
        const isClosing = !early.some(
          ({ name, ordinal }) => name === point.name && ordinal === point.ordinal,
        );
        expect(outcome).toEqual({ ...outcome, ...wanted(outcome, point, isClosing) });
        if (outcome.status !== 0) named++;
      });
      expect(named).toBeGreaterThanOrEqual(points.length / 2);
      const kind = `${fault.kind}${fault.isForever ? " from then on" : ""}`;
      const rest = points.length - named;
      report(
        `${points.length} × ${kind}: ${named} named, ${rest} without effect, 0 lost`,
        "the disk fails or is full at one system call",
      );
    },
  );
});

/** What came of a fault, with what it was, so that a failed expectation tells the whole story. */
interface Outcome {
  readonly point: Point;
  readonly fault: Fault;
  readonly status: number | null;
  readonly signal: string | null;
  readonly stderr: string;
  /** How many commits were acknowledged, and how many of them after the failure, on the same handle. */
  readonly acknowledged: number;
  readonly late: number;
  readonly messages: readonly string[];
  readonly unnamed: readonly string[];
}

async function strike(job: Job, point: Point, fault: Fault): Promise<Outcome> {
  const { store, messages, status, signal, stderr } = await disturb(job, point, fault);
  const failures = messages.flatMap((message) => ("failed" in message ? [message.failure] : []));
  const acks = acknowledged(messages);
  await checkAftermath(store, messages).catch((cause: unknown) => {
    throw new Error(`after ${fault.kind} at ${JSON.stringify(point)}`, { cause });
  });
  return {
    point,
    fault,
    status,
    signal,
    stderr,
    acknowledged: acks.length,
    late: acks.filter(({ isLate }) => isLate).length,
    messages: failures.map(({ message }) => message),
    unnamed: failures.filter(({ code }) => code === null).map(({ message }) => message),
  };
}

/** What must hold. What a writer may overlook is written here, and nowhere else. */
function wanted({ status, late, fault }: Outcome, point: Point, isClosing: boolean): Partial<Outcome> {
  // The operating system may have dropped what it could not write: no later "ok" of that handle is worth anything.
  const isUncertain = point.name === "fsync" || fault.kind === "error=EIO";
  // When a store is closed everything is in its log already; and SQLite ignores whether a folder could be synced.
  const isOfFolder = point.name === "fsync" && point.file === "the folder";
  // A mark that cannot be written only lags; a sweep that has no room to rewrite the store leaves it as it is.
  const isOptional = point.file === "store.sqlite-mark" || fault.kind === "error=ENOSPC";
  const mayBeOverlooked = isClosing || isOfFolder || isOptional;
  const isOverlooked = mayBeOverlooked && status === 0;
  return {
    status: isOverlooked ? 0 : 1,
    signal: null,
    stderr: "",
    unnamed: [],
    late: isUncertain ? 0 : late,
    ...(isOverlooked && { acknowledged: 5 }),
  };
}
