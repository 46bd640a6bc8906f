import { join } from "node:path";
import { atMost, type Bench, type Bounds, type Figure, type Row } from "../figure.ts";
import { openCairn } from "../library.ts";
import { Samples } from "../measure.ts";
import type { Message } from "../messages.ts";
import { LEAST_RAW_MICROSECONDS, openRawAppend } from "../raw-append.ts";
import { time, timeAndCpu } from "../units.ts";
import { appending, type Conversation, type Step } from "../workloads.ts";

const ATTEMPTS = 3;
const STEPS = 2000;
/** About 1 MB of messages when the measured commits begin. */
const STEPS_OF_ONE_MEGABYTE = 950;
const VERIFY_ROUNDS = 200;
const WINDOW = 200;

export const commit: Figure = {
  name: "commit",
  title: "Durable commits, p50, against 1.1 KB appended and fdatasync'ed in the same folder in turn",
  measure: async (bench) => [
    await untilValid(bench, "identity mode, A", identity, { must: 2.5, aim: 1.9 }),
    await untilValid(bench, "verify mode, 1 MB state changed in place", verify, { must: 5, aim: 3 }),
    await lateAgainstEarly(bench),
  ],
};

interface Pair {
  readonly commits: Samples;
  readonly raw: Samples;
}

/** A run counts only where a raw append costs what a real flush costs; a few tries, then it is void. */
async function untilValid(
  bench: Bench,
  name: string,
  run: (bench: Bench) => Promise<Pair>,
  bounds: Bounds,
): Promise<Row> {
  const figure = `commit / raw append, ${name}`;
  for (let attempt = 1; ; attempt++) {
    bench.progress.step(`${figure}${attempt > 1 ? `, attempt ${attempt}` : ""}`);
    const { commits, raw } = await run(bench);
    const from = `${timeAndCpu(commits)} / ${timeAndCpu(raw)}; p99 ${time(commits.p99)} / ${time(raw.p99)}`;
    const row = atMost(figure, commits.p50 / raw.p50, bounds, from);
    if (raw.p50 >= LEAST_RAW_MICROSECONDS) return row;
    if (attempt === ATTEMPTS) return { ...row, verdict: "void" };
  }
}

/** Every step of A, each beside a raw append. */
async function identity({ corpus, place, progress }: Bench): Promise<Pair> {
  const folder = place.newFolder();
  const raw = openRawAppend(folder);
  const cairn = await openCairn({ path: join(folder, "store") });
  const trail = cairn.trail<object>("main", { initial: {}, recognition: "identity" });
  const pair = { commits: new Samples(), raw: new Samples() };
  for (const { state } of appending(corpus)(STEPS)) {
    await pair.raw.time(() => raw.append());
    await pair.commits.time(() => trail.commit(state));
    progress.at(pair.raw.wall.length, STEPS);
  }
  await cairn.close();
  raw.close();
  place.remove(folder);
  return pair;
}

/** One state object that is changed in place for every commit, as a program that knows nothing of us would. */
async function verify({ corpus, place, progress }: Bench): Promise<Pair> {
  const folder = place.newFolder();
  const raw = openRawAppend(folder);
  const cairn = await openCairn({ path: join(folder, "store") });
  const trail = cairn.trail<object>("main", { initial: {} });
  const pair = { commits: new Samples(), raw: new Samples() };
  let mutable: Mutable | undefined;
  for (const { state } of appending(corpus)(STEPS_OF_ONE_MEGABYTE + VERIFY_ROUNDS)) {
    if (state.step < STEPS_OF_ONE_MEGABYTE) continue;
    if (mutable === undefined) {
      mutable = structuredClone(state) as Mutable;
      await trail.commit(mutable);
      continue;
    }
    changeInPlace(mutable, state);
    const next = mutable;
    await pair.raw.time(() => raw.append());
    await pair.commits.time(() => trail.commit(next));
    progress.at(pair.raw.wall.length, VERIFY_ROUNDS);
  }
  await cairn.close();
  raw.close();
  place.remove(folder);
  return pair;
}

type Mutable = { -readonly [Key in keyof Conversation]: Conversation[Key] } & { messages: Message[] };

function changeInPlace(mutable: Mutable, next: Conversation): void {
  mutable.messages.push(structuredClone(next.messages.at(-1) as Message));
  mutable.step = next.step;
  mutable.updated_at = next.updated_at;
  mutable.tokens_used = next.tokens_used;
}

/** Two stores in turn, one around step 2,000 and one around step 200, so that the disk's moods hit both alike. */
async function lateAgainstEarly(bench: Bench): Promise<Row> {
  bench.progress.step("commit at step 2,000 / at step 200");
  const late = await openAt(bench, STEPS - WINDOW / 2);
  const early = await openAt(bench, 200 - WINDOW / 2);
  const samples = { late: new Samples(), early: new Samples() };
  for (let round = 1; round <= WINDOW; round++) {
    await samples.early.time(early.next());
    await samples.late.time(late.next());
    bench.progress.at(round, WINDOW);
  }
  await late.close();
  await early.close();
  const from = `${timeAndCpu(samples.late)} / ${timeAndCpu(samples.early)}`;
  const figure = "commit at step 2,000 / at step 200, identity mode";
  return atMost(figure, samples.late.p50 / samples.early.p50, { must: 1.3, aim: 1.05 }, from);
}

interface Position {
  /** Makes the next state, and returns what commits it. */
  next(): () => Promise<unknown>;
  close(): Promise<void>;
}

async function openAt({ corpus, place }: Bench, step: number): Promise<Position> {
  const folder = place.newFolder();
  const cairn = await openCairn({ path: join(folder, "store") });
  const trail = cairn.trail<object>("main", { initial: {}, recognition: "identity" });
  const steps = appending(corpus)(step + WINDOW);
  const nextState = (): object => (steps.next().value as Step<Conversation>).state;
  for (let done = 0; done < step; done++) await trail.commit(nextState());
  return {
    next: () => {
      const state = nextState();
      return () => trail.commit(state);
    },
    close: async () => {
      await cairn.close();
      place.remove(folder);
    },
  };
}
