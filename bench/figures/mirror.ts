import type * as Verbs from "../../src/project/index.ts";
import { atMost, type Bench, type Figure } from "../figure.ts";
import { Samples } from "../measure.ts";
import { timeAndCpu } from "../units.ts";

// The build, because what is measured must be what ships.
const built = (path: string) => new URL(`../../dist/${path}`, import.meta.url).href;

const SAVES = 3_000;
const WARM_UP = 200;

export const mirror: Figure = {
  name: "mirror",
  title: `A mirror outside of the project: ${SAVES} commits with it and without, in turn`,
  measure: async (bench) => {
    bench.progress.step("mirror");
    const verbs = (await import(built("project/index.js"))) as typeof Verbs;
    const [on, off] = [projectIn(bench, verbs), projectIn(bench, verbs)];
    for (const project of [on, off]) await verbs.now(project, {});
    await verbs.mirror(on);
    const [withMirror, without] = [await trailOf(on), await trailOf(off)];
    const [mirrored, plain] = [new Samples(), new Samples()];
    for (let i = 0; i < SAVES + WARM_UP; i++) {
      const state = {
        n: i,
        items: Array.from({ length: 50 }, (_, at) => ({ id: at, text: `item ${at + i}` })),
      };
      // Who goes first alternates: the second finds a warmer cache.
      const pairs = [
        [mirrored, withMirror],
        [plain, without],
      ] as const;
      for (const [samples, trail] of i % 2 === 0 ? pairs : pairs.toReversed())
        if (i < WARM_UP) await trail.commit(state);
        else await samples.time(() => trail.commit(state));
      // Gives the mirror its turn, as a server that waits for requests does.
      if (i % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const { is_current } = await verbs.mirror(on);
    await on.stores.close();
    await off.stores.close();
    if (!is_current) throw new Error("The mirror did not get what it was to be measured with.");
    return [
      atMost(
        "commit with mirror on / off, p50",
        mirrored.p50 / plain.p50,
        { must: 1.05 },
        `${timeAndCpu(mirrored)}; off ${timeAndCpu(plain)}`,
      ),
    ];
  },
};

async function trailOf(project: Verbs.Project) {
  return (await project.stores.open(project, "write")).trail<object>("bench", { initial: {} });
}

function projectIn({ place }: Bench, verbs: typeof Verbs): Verbs.Project {
  const path = place.newFolder();
  return verbs.openProject({ path, agent: "bench", env: { HOME: place.newFolder() } });
}
