import { isDeepStrictEqual } from "node:util";
import { atMost, info, type Figure } from "../figure.ts";
import { openCairn } from "../library.ts";
import { Samples } from "../measure.ts";
import { bytes, timeAndCpu } from "../units.ts";

const ROUNDS = 60;

export const load: Figure = {
  name: "load",
  title: "Loading the latest of A with a new handle each time, against JSON.parse of the same state",
  measure: async ({ stores, progress }) => {
    progress.step("load latest / JSON.parse");
    const store = await stores.get("A", progress.at);
    const text = JSON.stringify(store.lastState);
    const loads = new Samples();
    const parses = new Samples();
    const opens = new Samples();
    for (let round = 1; round <= ROUNDS; round++) {
      await parses.time(() => JSON.parse(text) as unknown);
      const cairn = await opens.time(() => openCairn({ path: store.path }));
      const trail = cairn.trail<object>("main", { initial: {} });
      const latest = await loads.time(() => trail.load());
      await cairn.close();
      if (round === 1 && !isDeepStrictEqual(latest?.state, store.lastState))
        throw new Error("The state that was loaded is not the state that was saved.");
      progress.at(round, ROUNDS);
    }
    const from = `${timeAndCpu(loads)} / ${timeAndCpu(parses)}; ${bytes(Buffer.byteLength(text))} of JSON`;
    return [
      atMost("load latest / JSON.parse", loads.p50 / parses.p50, { must: 4, aim: 2.5 }, from),
      info("opening the store before it", timeAndCpu(opens), "not part of the ratio above"),
    ];
  },
};
