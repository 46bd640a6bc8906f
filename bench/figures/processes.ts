import { join } from "node:path";
import { startChild } from "../children.ts";
import type { Committed, Counter } from "../committer.ts";
import { atLeast, type Bench, type Figure, type Row } from "../figure.ts";
import { openCairn } from "../library.ts";
import { time } from "../units.ts";

const PROCESSES = 16;
const COMMITS_EACH = 250;
const TOTAL = PROCESSES * COMMITS_EACH;

export const processes: Figure = {
  name: "processes",
  title: `${PROCESSES} processes × ${COMMITS_EACH} commits at once on one store, against one process`,
  measure: async (bench) => {
    // One process before and after, so that a disk that grows slower meanwhile favours nobody.
    const before = await race(bench, "one process, first half", ["main"], TOTAL / 2);
    const trails = await race(bench, `${PROCESSES} trails`, trailNames(), COMMITS_EACH);
    const shared = await race(bench, "one trail", trailNames().fill("main"), COMMITS_EACH);
    const after = await race(bench, "one process, second half", ["main"], TOTAL / 2);
    const alone = TOTAL / (before.seconds + after.seconds);
    return [
      rate(`${PROCESSES} trails`, trails, alone, 0.9),
      rate("one trail", shared, alone, 0.5),
      faults([before, trails, shared, after]),
    ];
  },
};

interface Race {
  readonly seconds: number;
  readonly commits: number;
  readonly lost: number;
  readonly errors: readonly string[];
  readonly cpuMicroseconds: number;
}

/** Starts a process for every trail named, lets them all go at once, and reads back what they left. */
async function race(bench: Bench, what: string, trails: readonly string[], commits: number): Promise<Race> {
  bench.progress.step(`processes: ${what}`);
  const folder = bench.place.newFolder();
  const path = join(folder, "store");
  await (await openCairn({ path })).close();
  const children = trails.map((trail) => startChild("committer.ts", [path, trail, String(commits)]));
  await Promise.all(children.map((child) => child.next()));
  const started = performance.now();
  for (const child of children) child.go();
  const results = await Promise.all(children.map((child) => child.next<Committed>()));
  const seconds = (performance.now() - started) / 1000;
  await Promise.all(children.map((child) => child.ended()));
  const kept = await countKept(path, new Set(trails));
  bench.place.remove(folder);
  return {
    seconds,
    commits: trails.length * commits,
    lost: results.reduce((sum, { done }) => sum + done, 0) - kept,
    errors: results.flatMap(({ errors }) => errors),
    cpuMicroseconds: results.reduce((sum, result) => sum + result.cpuMicroseconds, 0),
  };
}

/** The increments that the states hold. The chain of checkpoints must tell the same number. */
async function countKept(path: string, trails: ReadonlySet<string>): Promise<number> {
  const cairn = await openCairn({ path });
  let kept = 0;
  for (const name of trails) {
    const trail = cairn.trail<Counter>(name);
    const count = (await trail.load()).state.count;
    const history = await trail.history({ limit: TOTAL + 1 });
    if (history.length !== count) throw new Error(`Trail ${name} counts ${count} in ${history.length} checkpoints.`);
    kept += count;
  }
  await cairn.close();
  return kept;
}

function rate(what: string, { commits, seconds, cpuMicroseconds }: Race, alone: number, must: number): Row {
  const perSecond = commits / seconds;
  const from = `${perSecond.toFixed(0)}/s (CPU ${time(cpuMicroseconds / commits)} a commit) against ${alone.toFixed(0)}/s`;
  return atLeast(`rate of ${PROCESSES} processes / of one, ${what}`, perSecond / alone, { must }, from);
}

function faults(races: readonly Race[]): Row {
  const lost = races.reduce((sum, race) => sum + Math.abs(race.lost), 0);
  const errors = races.flatMap((race) => race.errors);
  return {
    figure: "lost commits, errors",
    must: "0, 0",
    measured: `${lost}, ${errors.length}`,
    verdict: lost + errors.length === 0 ? "aim" : "MISSED",
    from: errors[0] ?? "every state read back: counter and chain of checkpoints agree",
  };
}

function trailNames(): string[] {
  return Array.from({ length: PROCESSES }, (_, at) => `worker/${at}`);
}
