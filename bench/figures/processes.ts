import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startChild, type Child } from "../children.ts";
import type { Committed } from "../committer.ts";
import { increment, type Counter } from "../counter.ts";
import { atLeast, atMost, type Bench, type Bounds, type Figure, type Row } from "../figure.ts";
import { openCairn } from "../library.ts";
import { median, Samples } from "../measure.ts";
import { busyDisk, openRawAppend } from "../raw-append.ts";
import { time, timeAndCpu } from "../units.ts";

const PROCESSES = 16;
const COMMITS_EACH = 250;
/** One process and sixteen take turns; the median turn counts, so that a disk that others use favours neither. */
const TURNS = 11;
/** Before them, one that does not count: trails are made, and what was compiled for another store is compiled again. */
const FIRST_TURNS = 1;
const ALL_TURNS = FIRST_TURNS + TURNS;
/** Of one turn. */
const TOTAL = PROCESSES * COMMITS_EACH;

export const processes: Figure = {
  name: "processes",
  title: `${PROCESSES} processes × ${COMMITS_EACH} commits at once on one store, in turn with ${TOTAL} commits of one process, all warmed up alike`,
  measure: async (bench) => {
    const ownTrails = await compare(
      bench,
      Array.from({ length: PROCESSES }, (_, at) => `worker/${at}`),
    );
    const oneTrail = await compare(
      bench,
      Array.from({ length: PROCESSES }, () => "main"),
    );
    const one = await beside(bench, 1, { must: 700, aim: 250 });
    const eight = await beside(bench, 8, { must: 2000, aim: 1000 });
    const { many, one: alone } = ownTrails;
    return [
      rate(`${PROCESSES} trails`, ownTrails, 0.6),
      rate("one trail", oneTrail, 0.5),
      one.row,
      eight.row,
      faults([many, alone, oneTrail.many, oneTrail.one, one.writers, eight.writers]),
    ];
  },
};

interface Comparison {
  readonly raw: Samples;
  readonly many: Team;
  readonly one: Team;
}

async function compare({ place, progress }: Bench, trails: readonly string[]): Promise<Comparison> {
  progress.step(`processes: ${new Set(trails).size} trails`);
  const many = await Team.start(join(place.newFolder(), "store"), trails);
  // V8 makes a process faster for tens of thousands of commits, so the one process of a turn is as young as the sixteen.
  const ones = await Team.start(
    join(place.newFolder(), "store"),
    Array.from({ length: ALL_TURNS }, () => "main"),
  );
  const file = openRawAppend(place.folder);
  const raw = new Samples();
  for (let turn = 0; turn < ALL_TURNS; turn++) {
    for (let append = 0; append < 20; append++) await raw.time(file.append);
    await ones.commit(TOTAL, turn);
    await many.commit(COMMITS_EACH);
    progress.at(turn + 1, ALL_TURNS);
  }
  file.close();
  await many.end();
  await ones.end();
  return { many, one: ones, raw };
}

const COMMITS_BESIDE = 100;
/** Long enough for the next commit to be one by itself, as that of a hook is. */
const BETWEEN_MS = 40;

/** Single commits of this process, while others commit in a tight loop. */
async function beside(
  { place, progress }: Bench,
  count: number,
  bounds: Bounds,
): Promise<{ row: Row; writers: Team }> {
  const figure = `one commit beside ${count === 1 ? "a writer" : `${count} writers`} in a tight loop, p99`;
  progress.step(figure);
  const path = join(place.newFolder(), "store");
  const trails = Array.from({ length: count }, (_, at) => `worker/${at}`);
  const writers = await Team.start(path, trails);
  const cairn = await openCairn({ path });
  const trail = cairn.trail<Counter>("main", { initial: { count: 0, recent: [] } });
  const own = new Samples();
  const over = new AbortController();
  const loops = trails.map(async (_, at) => {
    while (!over.signal.aborted) await writers.commit(COMMITS_EACH, at);
  });
  for (let commit = 1; commit <= COMMITS_BESIDE; commit++) {
    await sleep(BETWEEN_MS);
    await own.time(() => trail.commit(increment));
    progress.at(commit, COMMITS_BESIDE);
  }
  over.abort();
  await Promise.all(loops);
  await cairn.close();
  await writers.end();
  const from = `p50 ${timeAndCpu(own)}; ${writers.done} commits of the others meanwhile`;
  return { row: atMost(figure, own.p99 / 1000, { ...bounds, unit: " ms", digits: 0 }, from), writers };
}

/** Processes that commit to one store. */
class Team {
  readonly errors: string[] = [];
  lost = 0;
  done = 0;
  readonly seconds: number[] = [];
  cpuMicroseconds = 0;
  readonly #path: string;
  readonly #trails: readonly string[];
  readonly #children: readonly Child[];

  private constructor(path: string, trails: readonly string[], children: readonly Child[]) {
    this.#path = path;
    this.#trails = trails;
    this.#children = children;
  }

  static async start(path: string, trails: readonly string[]): Promise<Team> {
    const children = trails.map((trail) => startChild("committer.ts", [path, trail]));
    await Promise.all(children.map((child) => child.next()));
    return new Team(path, trails, children);
  }

  /** Lets all go at once, or only one of them, and waits for the last. */
  async commit(commitsEach: number, only?: number): Promise<void> {
    const children = only === undefined ? this.#children : this.#children.slice(only, only + 1);
    const started = performance.now();
    for (const child of children) child.tell(String(commitsEach));
    const results = await Promise.all(children.map((child) => child.next<Committed>()));
    this.seconds.push((performance.now() - started) / 1000);
    for (const { done, errors, cpuMicroseconds } of results) {
      this.done += done;
      this.errors.push(...errors);
      this.cpuMicroseconds += cpuMicroseconds;
    }
  }

  /** Reads back what is left: the states must count what was acknowledged, and the chains of checkpoints as much. */
  async end(): Promise<void> {
    await Promise.all(this.#children.map((child) => child.end()));
    const cairn = await openCairn({ path: this.#path });
    let kept = 0;
    for (const name of new Set(this.#trails)) {
      const trail = cairn.trail<Counter>(name);
      const { count } = (await trail.load()).state;
      const { length } = await trail.history({ limit: ALL_TURNS * TOTAL + 1 });
      if (length !== count) throw new Error(`Trail ${name} counts ${count} in ${length} checkpoints.`);
      kept += count;
    }
    await cairn.close();
    this.lost = this.done - kept;
    this.seconds.splice(0, FIRST_TURNS);
  }
}

function rate(what: string, { many, one, raw }: Comparison, must: number): Row {
  const from = `${speed(many)} / ${speed(one)}${busyDisk(raw)}`;
  // Both make as many commits in a turn, so the ratio of their times is that of their rates.
  const ratios = many.seconds.map((seconds, turn) => (one.seconds[turn] as number) / seconds);
  return atLeast(
    `rate of ${PROCESSES} processes / of one, ${what}`,
    median(ratios),
    { must, aim: 0.8 },
    from,
  );
}

function speed({ done, seconds, cpuMicroseconds }: Team): string {
  return `${(TOTAL / median(seconds)).toFixed(0)}/s (CPU ${time(cpuMicroseconds / done)} a commit)`;
}

function faults(teams: readonly Team[]): Row {
  const lost = teams.reduce((sum, team) => sum + Math.abs(team.lost), 0);
  const errors = teams.flatMap((team) => team.errors);
  const commits = teams.reduce((sum, team) => sum + team.done, 0);
  return {
    figure: "lost commits, errors",
    must: "0, 0",
    measured: `${lost}, ${errors.length}`,
    verdict: lost + errors.length === 0 ? "ok" : "MISSED",
    from: errors[0] ?? `${commits} commits read back: states and chains of checkpoints agree`,
  };
}
