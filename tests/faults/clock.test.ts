import { describe, expect, it } from "vitest";

import { openCairn, type Cairn, type CheckpointInfo } from "../../src/doors/library/index.ts";
import { advance, NO_WORK, workAt, type Work } from "./programs/work.ts";
import { useFolders } from "./support/folders.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = Date.UTC(2026, 0, 23, 12);
const STEPS = 20;

/** What the clock says at each of the steps. */
const CLOCKS: Readonly<Record<string, (step: number) => number>> = {
  "goes back a year halfway": (step) => NOW + step * 1000 - (step > STEPS / 2 ? 365 * DAY_MS : 0),
  "runs backwards": (step) => NOW - step * 1000,
  "stands still": () => NOW,
  "is ten years ahead at first": (step) => NOW + (step < STEPS / 2 ? 3652 * DAY_MS : step * 1000),
  "jumps to and fro": (step) => NOW + step * 1000 - (step % 2) * 400 * DAY_MS,
  "says it is 1970": (step) => step,
  "is far beyond our time": (step) => Date.UTC(9999, 11, 31, 23, 59, 0) + step,
};

const folders = useFolders();

describe.each(Object.entries(CLOCKS))("a clock that %s", (_, clock) => {
  it("changes neither what is newest nor the order of things", async () => {
    const { cairn, infos } = await work(clock);
    const trail = cairn.trail<Work>("main");
    expect((await trail.load()).state).toEqual(workAt(STEPS));
    const history = await trail.history();
    expect(history.map(({ content_hash }) => content_hash)).toEqual(
      infos.map(({ content_hash }) => content_hash).toReversed(),
    );
    expect((await cairn.history()).map(({ content_hash }) => content_hash)).toEqual(
      history.map(({ content_hash }) => content_hash),
    );
    expect((await trail.diff()).from.content_hash).toBe(infos.at(-2)?.content_hash);
    await cairn.close();
  });

  it("lets every checkpoint be found by its id, and undo go back in the order of commits", async () => {
    const { cairn, infos } = await work(clock);
    const trail = cairn.trail<Work>("main");
    for (const [at, { checkpoint_id }] of infos.entries()) {
      expect((await trail.load(checkpoint_id)).state).toEqual(workAt(at + 1));
    }
    await trail.undo();
    await trail.undo();
    expect((await trail.load()).state).toEqual(workAt(STEPS - 2));
    expect((await cairn.verify()).damage).toEqual([]);
    await cairn.close();
  });

  it("makes prune remove nothing that was committed after something it keeps", async () => {
    const { cairn, infos } = await work(clock);
    const trail = cairn.trail<Work>("main");
    await trail.prune({ last: 5, withinMs: 30 * DAY_MS });
    const left = (await trail.history()).map(({ content_hash }) => content_hash);
    const newest = infos.map(({ content_hash }) => content_hash).toReversed();
    expect(left.slice(0, 5)).toEqual(newest.slice(0, 5));
    expect(left).toEqual(newest.slice(0, left.length));
    await cairn.close();
  });
});

async function work(clock: (step: number) => number): Promise<{ cairn: Cairn; infos: CheckpointInfo[] }> {
  let step = 0;
  // Afterwards somebody sets it right, and only then prunes.
  const now = () => new Date(step > 0 && step <= STEPS ? clock(step) : NOW + DAY_MS);
  const cairn = await openCairn({ path: folders.inMemory(), now });
  const trail = cairn.trail<Work>("main", { initial: NO_WORK });
  const infos: CheckpointInfo[] = [];
  for (step = 1; step <= STEPS; step++) infos.push(await trail.commit(advance));
  return { cairn, infos };
}
