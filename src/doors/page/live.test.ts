import { expect, it } from "vitest";

import { openCairn } from "../../work/state/cairn.ts";
import { openMemoryStore } from "../../core/store/sqlite.ts";
import { CheckpointError } from "../../core/errors.ts";
import { noCheckpointYet } from "../../work/project/find-project.ts";
import { storeGone, type StoreState } from "../../work/project/store-state.ts";
import { Live } from "./live.ts";

it("tells of every trail, however many commits came between two looks", async () => {
  const store = await openMemoryStore();
  const cairn = await openCairn({ store });
  const live = new Live(async () => store);
  await live.start();
  await cairn.trail<{ count: number }>("early").commit({ count: 0 });
  const busy = cairn.trail<{ count: number }>("busy");
  for (let count = 0; count < 300; count++) await busy.commit({ count });
  const told = new Set<string>();
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = live.listen(({ trails }) => {
    for (const trail of trails) told.add(trail);
    if (told.size === 2) resolve();
  });
  await promise;
  stop();
  expect([...told].toSorted()).toEqual(["busy", "early"]);
  await cairn.close();
});

it("tells a store that is gone, unreachable or empty from one that is live", async () => {
  const store = await openMemoryStore();
  const cairn = await openCairn({ store });
  const failures: Record<string, CheckpointError> = {
    gone: storeGone("/project/.cairn"),
    unreachable: new CheckpointError("failed", "PostgreSQL cannot be reached.", {
      details: { store: "unreachable" },
    }),
    empty: noCheckpointYet(),
  };
  let failure: CheckpointError | undefined;
  const live = new Live(async () => (failure ? Promise.reject(failure) : store));
  await live.start();
  const told: StoreState[] = [];
  const stop = live.listen(({ store: state }) => void told.push(state));
  const steps = ["empty", "gone", "unreachable", "empty", "live"];
  for (const [index, state] of steps.entries()) {
    // At first it is there, and nothing is in it.
    failure = index === 0 ? undefined : failures[state];
    if (state === "live") await cairn.trail<{ count: number }>("main").commit({ count: 1 });
    await expect.poll(() => told[index]).toBe(state);
  }
  stop();
  expect(told).toEqual(steps);
  await cairn.close();
});

it("tells a store that does not answer, and one that answers again", async () => {
  const store = await openMemoryStore();
  const cairn = await openCairn({ store });
  await cairn.trail<{ count: number }>("main").commit({ count: 1 });
  let answer = Promise.withResolvers<void>();
  answer.resolve();
  const live = new Live(async () => answer.promise.then(() => store), { patienceMs: 20 });
  await live.start();
  answer = Promise.withResolvers();
  const told: StoreState[] = [];
  const stop = live.listen(({ store: state }) => void told.push(state));
  await expect.poll(() => told).toEqual(["unreachable"]);
  answer.resolve();
  await expect.poll(() => told).toEqual(["unreachable", "live"]);
  stop();
  await cairn.close();
});
