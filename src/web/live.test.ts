import { expect, it } from "vitest";

import { openCairn } from "../checkpoints/cairn.ts";
import { openMemoryStore } from "../store/sqlite.ts";
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
  const stop = live.listen((trails) => {
    for (const trail of trails) told.add(trail);
    if (told.size === 2) resolve();
  });
  await promise;
  stop();
  expect([...told].toSorted()).toEqual(["busy", "early"]);
  await cairn.close();
});
