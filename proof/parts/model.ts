import fc from "fast-check";
import { rmSync } from "node:fs";
import { join } from "node:path";

import { isCheckpointError, openCairn, type Cairn, type Trail } from "../../src/doors/library/index.ts";
import type { Store } from "../../src/core/store/contract.ts";
import { openMapStore } from "../../examples/store/memory-store.ts";
import { number, type Part, type World } from "../support/part.ts";

type State = Record<string, unknown>;

/** What a person or a program may do. Numbers choose among the trails and checkpoints that there are. */
const command = fc.oneof(
  {
    weight: 60,
    arbitrary: fc.record({
      do: fc.constant("commit" as const),
      trail: fc.nat(3),
      key: fc.nat(5),
      value: fc.jsonValue(),
    }),
  },
  {
    weight: 24,
    arbitrary: fc.record({
      do: fc.constantFrom("load", "restore", "fork"),
      trail: fc.nat(3),
      key: fc.nat(9),
    }),
  },
  {
    weight: 15,
    arbitrary: fc.record({
      do: fc.constantFrom("undo", "history", "diff", "unchanged"),
      trail: fc.nat(3),
      key: fc.nat(9),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom("prune", "sweep", "verify"),
      trail: fc.nat(3),
      key: fc.nat(9),
    }),
  },
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

export const model: Part = {
  name: "model",
  about: "random commands with the same result on every store, and random interleavings of writers",
  proves: ["src/core/objects", "src/core/store", "src/core/trails"],
  run: async (world) => {
    const done = (world.recall() as Done | undefined) ?? { commands: 0, stores: 0, schedules: 0 };
    await sameOnEveryStore(world, done, world.isQuick ? 3000 : 1_000_000);
    await randomInterleavings(world, done, world.isQuick ? 300 : 100_000);
    const { commands, schedules } = done;
    return [
      {
        fault: "random commands (commit, undo, restore, fork, prune, sweep …) on memory and SQLite at once",
        count: `${number(commands)} commands`,
        outcome: "the same answers and hashes on both, each state as the model says",
      },
      {
        fault: "3 handles that commit at once, their reads and commits started in a random order",
        count: `${number(schedules)} schedules`,
        outcome: "0 changes lost",
      },
    ];
  },
};

/** How far it came. */
interface Done {
  commands: number;
  /** Pairs of stores that were used so far. */
  stores: number;
  schedules: number;
}

async function sameOnEveryStore(world: World, done: Done, wanted: number): Promise<void> {
  while (done.commands < wanted) {
    const seed = world.seed + done.stores++;
    const path = join(world.memory, "store");
    // One store for many runs: what is old must not disturb what is new.
    const sides: Side[] = [
      { cairn: await openCairn({ store: await openMapStore(), now: clock() }), handles: new Map() },
      { cairn: await openCairn({ path, now: clock() }), handles: new Map() },
    ];
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 20, maxLength: 200 }), async (commands) => {
        run++;
        const truth = new Map<string, State>();
        for (const each of commands) {
          const answers: string[] = [];
          for (const side of sides) answers.push(await answer(side, `run-${run}`, each));
          if (answers[0] !== answers[1]) throw new Error(`${JSON.stringify(each)}: ${answers.join(" but ")}`);
          follow(truth, each, answers[0] ?? "");
          done.commands++;
        }
        world.progress(`${number(done.commands)} commands`);
      }),
      { seed, numRuns: Math.min(20, Math.ceil((wanted - done.commands) / 20)), endOnFailure: true },
    );
    for (const { cairn } of sides) await cairn.close();
    rmSync(path, { recursive: true });
    world.keep(done);
  }
}

/** The same time for both stores: a checkpoint's hash depends on it. */
function clock(): () => Date {
  let seconds = 0;
  return () => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds++));
}

const nameOf = (run: string, trail: number) => `${run}/trail-${trail}`;

/** One of the stores that must agree, and the handles that are in use. */
interface Side {
  readonly cairn: Cairn;
  readonly handles: Map<string, Trail<State>>;
}

/** Most commands go through a handle that remembers what it saw; some come from somebody who has seen nothing yet. */
function handleOf({ cairn, handles }: Side, name: string, isNew: boolean): Trail<State> {
  const known = isNew ? undefined : handles.get(name);
  const trail = known ?? cairn.trail<State>(name, { initial: {} });
  handles.set(name, trail);
  return trail;
}

/** Everything that can be seen of a command's result. */
async function answer(
  side: Side,
  run: string,
  { do: what, trail: index, key, ...rest }: Command,
): Promise<string> {
  const trail = handleOf(side, nameOf(run, index), key === 0);
  const { cairn } = side;
  try {
    if (what === "commit" && "value" in rest) {
      const { content_hash } = await trail.commit((state) => void (state[`k${key}`] = rest.value));
      return `committed ${content_hash} ${JSON.stringify((await trail.load()).state)}`;
    }
    if (what === "unchanged")
      return `committed ${(await trail.commit(() => undefined, { ifChanged: true })).content_hash}`;
    if (what === "undo") return `undone ${(await trail.undo()).content_hash}`;
    if (what === "sweep") return `swept ${typeof (await cairn.sweep()).objectsDeleted}`;
    if (what === "verify") return `damage ${(await cairn.verify()).damage.length}`;
    const history = await trail.history();
    const chosen = history[key % Math.max(history.length, 1)]?.content_hash;
    if (what === "history") return history.map(({ content_hash }) => content_hash).join();
    if (chosen === undefined) return "nothing yet";
    if (what === "load") return `loaded ${JSON.stringify((await trail.load(chosen)).state)}`;
    if (what === "restore") return `restored ${(await trail.restore(chosen)).content_hash}`;
    if (what === "diff")
      return `differs ${JSON.stringify(await trail.diff(chosen, history[0]?.content_hash))}`;
    if (what === "prune")
      return `pruned ${JSON.stringify((await trail.prune({ last: 1 + (key % 4) })).removed.length)}`;
    if (what === "fork") {
      const forked = await trail.fork(nameOf(run, (index + 1 + (key % 3)) % 4), { id: chosen });
      return `forked ${(await forked.load()).content_hash}`;
    }
    return what;
  } catch (error) {
    if (isCheckpointError(error)) return `!${error.code}`;
    throw error;
  }
}

/** The simplest truth there is: what was committed last under a key is there, until somebody goes back or forks. */
function follow(truth: Map<string, State>, each: Command, said: string): void {
  const name = nameOf("", each.trail);
  if (each.do === "verify" && said !== "damage 0") throw new Error(`verify says ${said}`);
  if (each.do === "fork") truth.clear();
  if (each.do === "undo" || each.do === "restore") truth.delete(name);
  if (!("value" in each)) return;
  const state = JSON.parse(said.slice(said.indexOf("{"))) as State;
  const before = truth.get(name);
  const expected = before && JSON.stringify({ ...before, [`k${each.key}`]: each.value });
  if (expected !== undefined && JSON.stringify(state) !== expected)
    throw new Error(`The state is ${JSON.stringify(state)}, not ${expected}.`);
  truth.set(name, state);
}

/** Calls of the store, in an order that the scheduler chooses. */
function scheduled(store: Store, scheduler: fc.Scheduler): Store {
  return new Proxy(store, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      const call = (value as (...args: unknown[]) => unknown).bind(target);
      if (!["commit", "head", "readObjects"].includes(String(name))) return call;
      // Only its beginning is scheduled: a commit may read while it is under way.
      return async (...args: unknown[]) => {
        await scheduler.schedule(Promise.resolve());
        return call(...args);
      };
    },
  });
}

const BATCH = 1000;

async function randomInterleavings(world: World, done: Done, wanted: number): Promise<void> {
  for (; done.schedules < wanted; done.schedules += Math.min(BATCH, wanted - done.schedules)) {
    world.keep(done);
    await interleave(world, done.schedules, Math.min(BATCH, wanted - done.schedules));
  }
}

async function interleave(world: World, first: number, numRuns: number): Promise<void> {
  let run = first;
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      const store = await openMapStore();
      const handles = [0, 1, 2].map(async () => {
        const cairn = await openCairn({ store: scheduled(store, scheduler) });
        const trail = cairn.trail<{ n: number }>("main", { initial: { n: 0 } });
        for (let turn = 0; turn < 2; turn++) await trail.commit((state) => void state.n++);
      });
      await scheduler.waitFor(Promise.all(handles));
      const trail = (await openCairn({ store })).trail<{ n: number }>("main");
      const [{ state }, history] = [await trail.load(), await trail.history()];
      if (state.n !== 6 || history.length !== 6)
        throw new Error(`${state.n} changes in ${history.length} checkpoints`);
      world.progress(`${number(++run)} schedules`);
    }),
    { seed: world.seed + first, numRuns, endOnFailure: true },
  );
}
