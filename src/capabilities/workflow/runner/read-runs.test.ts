import { expect, it } from "vitest";

import { openCairn } from "../../../work/state/cairn.ts";
import { openMemoryStore } from "../../../core/store/sqlite.ts";
import { newRun } from "../run/run-state.ts";
import { runTrail } from "../../../work/state/run-trail.ts";
import { documentOf } from "../run/work-document.ts";
import { readRuns } from "./read-runs.ts";

const now = new Date(Date.UTC(2026, 0, 23));

it("asks the store for many runs as often as for one, and tells which of them is damaged", async () => {
  const store = await openMemoryStore();
  let asked = 0;
  const counted = new Proxy(store, {
    get(target, name: keyof typeof store) {
      const value = target[name];
      if (typeof value !== "function") return value;
      if (name === "readObjects" || name === "head") asked++;
      return value.bind(target);
    },
  });
  const cairn = await openCairn({ store: counted });
  const begin = async (id: string) => {
    const run = newRun({ id, workflow: "build", definition: [], inputs: {}, now });
    await cairn.trail(runTrail(id)).commit(documentOf(run) as never);
  };
  const readAll = async () => {
    asked = 0;
    const found: string[] = [];
    for await (const each of readRuns({ cairn }))
      found.push("run" in each ? each.run.id : `${each.id} is damaged`);
    return found;
  };
  await begin("first");
  expect(await readAll()).toEqual(["first"]);
  const askedForOne = asked;
  for (let at = 0; at < 20; at++) await begin(`next-${at}`);
  expect(await readAll()).toHaveLength(21);
  expect(asked).toBe(askedForOne);
  await cairn.trail(runTrail("odd")).commit({ run: "not a run" } as never);
  const found = await readAll();
  expect(found).toHaveLength(22);
  expect(found[0]).toBe("odd is damaged");
  await cairn.close();
});
