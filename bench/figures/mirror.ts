import { setImmediate as turn, setTimeout as wait } from "node:timers/promises";
import type * as Verbs from "../../src/doors/library/project.ts";
import type * as Mirror from "../../src/capabilities/sync/verbs/mirror.ts";
import { atMost, info, type Bench, type Figure } from "../figure.ts";
import { percentile, Samples } from "../measure.ts";
import { time, timeAndCpu } from "../units.ts";

// The build, because what is measured must be what ships.
const built = (path: string) => new URL(`../../dist/${path}`, import.meta.url).href;

const BLOCKS = 12;
const SAVES = 200;
const WARM_UP = 30;
const LAGS = 25;

export const mirror: Figure = {
  name: "mirror",
  title: `A mirror outside of the project: ${BLOCKS} times ${SAVES} commits with it, without, and without once more, in turn`,
  measure: async (bench) => {
    bench.progress.step("mirror");
    const verbs = (await import(built("doors/library/project.js"))) as typeof Verbs;
    const [on, ...offs] = [folders(bench), folders(bench), folders(bench)];
    const first = open(verbs, on);
    await verbs.now(first, {});
    await verbs.mirror(first);
    await first.stores.close();
    const blocks = [on, ...offs].map((place) => ({ place, block: new Block() }));
    for (let i = 0; i < BLOCKS; i++)
      for (const { place, block } of [...blocks.slice(i % 3), ...blocks.slice(0, i % 3)])
        await block.measure(open(verbs, place));
    const [mirrored, plain, again] = blocks.map(({ block }) => block) as [Block, Block, Block];
    const lags = await lagsOf(verbs, open(verbs, on));
    const noise = again.commits.p50 / plain.commits.p50;
    const from = `${timeAndCpu(mirrored.commits)}; off ${timeAndCpu(plain.commits)}; off once more ${timeAndCpu(again.commits)}; each with the turn of the process that follows it, in which the mirror may work`;
    const figure = "commit with mirror on / off, p50";
    const row = atMost(figure, mirrored.commits.p50 / plain.commits.p50, { must: 1.05 }, from);
    return [
      // Where two that are equal differ by as much, the difference says nothing.
      Math.abs(noise - 1) > 0.05 ? { ...row, verdict: "void" } : row,
      atMost(
        "the same by CPU time, of all threads",
        mirrored.commits.cpuP50 / plain.commits.cpuP50,
        { must: 1.05 },
        from,
      ),
      info(
        "the same, all that the mirror does included: mean",
        (mirrored.mean / plain.mean).toFixed(2),
        `whole blocks with opening, catching up and closing: ${time(mirrored.mean)} a commit; off ${time(plain.mean)}; off once more ${time(again.mean)}`,
      ),
      atMost(
        "a commit is in the mirror after, p95",
        percentile(lags, 0.95),
        { must: 1000, unit: " ms", digits: 0 },
        `${LAGS} commits in a process that stays; p50 ${time(percentile(lags, 0.5) * 1000)}`,
      ),
    ];
  },
};

/** Commits one after the other in a process that does nothing else, from opening the project to closing it. */
class Block {
  readonly commits = new Samples();
  readonly #whole = new Samples();

  async measure(project: Verbs.Project): Promise<void> {
    await this.#whole.time(async () => {
      const trail = await trailOf(project);
      for (let i = 0; i < SAVES; i++) {
        const state = stateNumber(i);
        const commit = async () => {
          await trail.commit(() => state);
          await turn();
        };
        if (i < WARM_UP) await commit();
        else await this.commits.time(commit);
      }
      await project.stores.close();
    });
  }

  /** Microseconds a commit. */
  get mean(): number {
    return this.#whole.wall.reduce((sum, wall) => sum + wall) / this.#whole.wall.length / SAVES;
  }
}

/** Milliseconds from the end of a commit until the mirror has it, for commits at any moment. */
async function lagsOf(verbs: typeof Verbs, project: Verbs.Project): Promise<number[]> {
  const trail = await trailOf(project);
  const { mirrorLag } = (await import(built("capabilities/sync/verbs/mirror.js"))) as typeof Mirror;
  const lags: number[] = [];
  for (let i = 0; i < LAGS; i++) {
    await wait((i * 137) % 400);
    await trail.commit(() => stateNumber(-i));
    const committed = performance.now();
    while ((await mirrorLag(project))?.commits !== 0) await wait(5);
    lags.push(performance.now() - committed);
  }
  const { is_current } = await verbs.mirror(project);
  await project.stores.close();
  if (!is_current) throw new Error("The mirror did not get what it was to be measured with.");
  return lags;
}

const stateNumber = (n: number) => ({
  n,
  items: Array.from({ length: 50 }, (_, at) => ({ id: at, text: `item ${at + n}` })),
});

async function trailOf(project: Verbs.Project) {
  return (await project.stores.open(project, "create")).trail<object>("bench", { initial: {} });
}

const folders = ({ place }: Bench) => ({ path: place.newFolder(), home: place.newFolder() });

function open(verbs: typeof Verbs, { path, home }: ReturnType<typeof folders>): Verbs.Project {
  return verbs.openProject({ path, agent: "bench", env: { HOME: home } });
}
