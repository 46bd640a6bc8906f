import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emptyWorkState, type WorkState } from "../checkpoints/work-state.ts";
import { type Collector, collect as collectPatches, variablesCollector } from "./collect.ts";
import { applyPatches, type StatePatch } from "./state-patch.ts";

const context = {
  root: "/project",
  env: {} as Record<string, string>,
  now: () => 0,
  state: emptyWorkState(),
};

async function collect(collectors: readonly Collector[], given: typeof context) {
  const { patches, failures } = await collectPatches(collectors, given);
  return { state: applyPatches(given.state, patches), failures };
}

describe("collect", () => {
  it("merges what collectors bring in the order of the list, not of their arrival", async () => {
    const slow = Promise.withResolvers<StatePatch>();
    const first: Collector = { name: "first", collect: async () => slow.promise };
    const second: Collector = {
      name: "second",
      collect: () => {
        slow.resolve({ goal: "of the first", variables: { a: 1, b: 1 } });
        return { goal: "of the second", variables: { b: 2 } };
      },
    };
    const { state, failures } = await collect([first, second], context);
    expect(state).toEqual({ ...emptyWorkState(), goal: "of the second", variables: { a: 1, b: 2 } });
    expect(failures).toEqual([]);
  });

  it("reports collectors that fail, and keeps what the others bring", async () => {
    const cycle: Record<string, unknown> = {};
    cycle["self"] = cycle;
    const { promise: aborted, resolve: onAbort } = Promise.withResolvers<void>();
    const collectors: Collector[] = [
      { name: "throws", collect: () => raise("no such table") },
      { name: "rejects", collect: async () => Promise.reject(new Error("closed")) },
      {
        name: "hangs",
        timeoutMs: 20,
        collect: async ({ signal }) => {
          signal.addEventListener("abort", () => onAbort());
          return new Promise(() => undefined);
        },
      },
      { name: "null", collect: () => null as unknown as StatePatch },
      { name: "list", collect: () => [] as unknown as StatePatch },
      { name: "wrong", collect: () => ({ tasks: {} }) as unknown as StatePatch },
      { name: "bigint", collect: () => ({ run: { count: 1n } }) as unknown as StatePatch },
      { name: "cycle", collect: () => ({ cycle }) },
      variablesCollector("mine", () => ({ my_data: new Date(0), gone: undefined })),
    ];
    const { state, failures } = await collect(collectors, context);
    expect(state).toEqual({ ...emptyWorkState(), variables: { my_data: "1970-01-01T00:00:00.000Z" } });
    expect(failures).toEqual([
      { name: "throws", error: "no such table" },
      { name: "rejects", error: "closed" },
      { name: "hangs", error: "It took longer than 20 ms." },
      { name: "null", error: "It did not return an object." },
      { name: "list", error: "It did not return an object." },
      { name: "wrong", error: 'Its "tasks" is not a list.' },
      { name: "bigint", error: "The state holds a BigInt at run.count, which JSON cannot say." },
      { name: "cycle", error: "The state contains itself, below cycle.self.self.self.self.self.self.self." },
    ]);
    await aborted;
  });

  it("does not share memory with what a collector returned", async () => {
    const mine = { list: [1] };
    const { state } = await collect([variablesCollector("mine", () => mine)], context);
    mine.list.push(2);
    expect(state.variables).toEqual({ list: [1] });
  });

  it("gives collectors what they need", async () => {
    const env = { HOME: "/home/x" };
    const reader = variablesCollector("reader", ({ root, now, env: given }) => ({
      root,
      at: now(),
      home: given["HOME"],
    }));
    const { state } = await collect([reader], { ...context, env, now: () => 42 });
    expect(state.variables).toEqual({ root: "/project", at: 42, home: "/home/x" });
  });
});

describe("applyPatches", () => {
  const task = (id: string, status: "pending" | "completed"): WorkState["tasks"][number] => ({
    id,
    subject: `task ${id}`,
    status,
    owner: null,
    blocks: [],
    blocked_by: [],
  });
  const dependency = (name: string, status: string): WorkState["dependencies"][number] => ({
    name,
    type: "tcp",
    status,
    endpoint: null,
    last_checked: null,
  });
  const output = (id: number): WorkState["recent_outputs"][number] => ({
    type: "evidence",
    id: `evd-${id}`,
    action: "test",
    success: true,
    timestamp: "",
  });

  it("updates tasks in their place and keeps those that nobody mentions", () => {
    const state = { ...emptyWorkState(), tasks: [task("1", "pending"), task("2", "pending")] };
    const { tasks } = applyPatches(state, [{ tasks: [task("3", "pending"), task("1", "completed")] }]);
    expect(tasks).toEqual([task("1", "completed"), task("2", "pending"), task("3", "pending")]);
  });

  it("keeps the last ten outputs", () => {
    const state = { ...emptyWorkState(), recent_outputs: [1, 2, 3, 4, 5, 6].map(output) };
    const { recent_outputs } = applyPatches(state, [
      { recent_outputs: [6, 7, 8, 9].map(output) },
      { recent_outputs: [10, 11].map(output) },
    ]);
    expect(recent_outputs).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map(output));
  });

  it("joins dependencies and files of several collectors, but drops those of before", () => {
    const before = { dependencies: [dependency("old", "available")], files_touched: ["old"] };
    const state = { ...emptyWorkState(), ...before };
    const result = applyPatches(state, [
      { dependencies: [dependency("a", "available")], files_touched: ["x", "y"] },
      {
        dependencies: [dependency("b", "available"), dependency("a", "unavailable")],
        files_touched: ["y", "z"],
      },
      { next_action: "go on" },
    ]);
    expect(result.dependencies).toEqual([dependency("a", "unavailable"), dependency("b", "available")]);
    expect(result.files_touched).toEqual(["x", "y", "z"]);
    expect(applyPatches(state, [{ next_action: "go on" }])).toMatchObject(before);
  });

  it("keeps unknown fields, changes none of its inputs and no prototype", () => {
    const key = fc.constantFrom(
      "__proto__",
      "constructor",
      "toString",
      "variables",
      "tasks",
      "polluted",
      "id",
      "goal",
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.string(),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(key, tie("value")),
      ),
    }));
    const patch = fc.dictionary(key, value);
    fc.assert(
      fc.property(patch, fc.array(patch, { maxLength: 3 }), (state, patches) => {
        const [frozen, ...frozenPatches] = [state, ...patches].map((each) =>
          deepFreeze(JSON.parse(JSON.stringify(each))),
        );
        const result = applyPatches(frozen as WorkState, frozenPatches as StatePatch[]);
        expect(new Set(Object.keys(result))).toEqual(
          new Set([state, ...patches].flatMap((each) => Object.keys(each))),
        );
        expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
        expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
        expect(Object.keys(Object.prototype)).toEqual([]);
      }),
    );
  });
});

function raise(message: string): never {
  throw new Error(message);
}

function deepFreeze(value: unknown): unknown {
  if (typeof value === "object" && value !== null) Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}
