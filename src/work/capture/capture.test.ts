import { describe, expect, it } from "vitest";

import { openCairn } from "../state/cairn.ts";
import { openMemoryStore } from "../../core/store/sqlite.ts";
import { capture, type Collector, type CaptureOptions } from "./capture.ts";

async function captured(collectors: readonly Collector[], options?: CaptureOptions) {
  const cairn = await openCairn({ store: await openMemoryStore() });
  const trail = cairn.trail("main");
  const result = await capture(trail, collectors, options);
  const loaded = await trail.load(result.checkpoint.checkpoint_id);
  return { ...result, loaded, variables: loaded.state.variables };
}

describe("capture", () => {
  it("saves what collectors see, without secrets, and says which ones failed", async () => {
    const secret = ["ghp", "0123456789abcdefghijABCDEFGHIJ012345"].join("_");
    const collectors = [
      { name: "mine", collect: () => ({ my_data: "seen", log: `used ${secret}` }) },
      { name: "broken", collect: () => raise("no answer") },
    ];
    const { loaded, variables, failures, redacted } = await captured(collectors, { notes: "before deploy" });
    expect(variables["my_data"]).toBe("seen");
    expect(JSON.stringify(loaded)).not.toContain(secret);
    expect(loaded.notes).toBe("before deploy");
    expect(failures.map(({ name }) => name)).toEqual(["broken"]);
    expect(redacted).toHaveLength(1);
  });

  it("takes what collectors bring in the order of the list, not of their arrival, beside what was there", async () => {
    const cairn = await openCairn({ store: await openMemoryStore() });
    const trail = cairn.trail("main");
    await trail.commit((state) => {
      state.variables = { kept: true, b: 0 };
    });
    const slow = Promise.withResolvers<Record<string, unknown>>();
    const second = () => {
      slow.resolve({ a: 1, b: 1 });
      return { b: 2 };
    };
    await capture(trail, [
      { name: "first", collect: async () => slow.promise },
      { name: "second", collect: second },
    ]);
    expect((await trail.load()).state.variables).toEqual({ kept: true, a: 1, b: 2 });
  });

  it("reports collectors that fail, and keeps what the others bring", async () => {
    const cycle: Record<string, unknown> = {};
    cycle["self"] = cycle;
    const { promise: aborted, resolve: onAbort } = Promise.withResolvers<void>();
    const collectors: Collector[] = [
      { name: "throws", collect: () => raise("no such table") },
      { name: "rejects", collect: async () => Promise.reject(new Error("closed")) },
      { name: "null", collect: () => null as never },
      { name: "list", collect: () => [] as never },
      { name: "bigint", collect: () => ({ run: { count: 1n } }) },
      { name: "cycle", collect: () => ({ cycle }) },
      {
        name: "deep",
        collect: () => JSON.parse(`{"a":`.repeat(256) + "1" + "}".repeat(256)) as Record<string, unknown>,
      },
      {
        name: "hangs",
        timeoutMs: 20,
        collect: async ({ signal }) => {
          signal.addEventListener("abort", () => onAbort());
          return new Promise(() => undefined);
        },
      },
      { name: "mine", collect: () => ({ my_data: new Date(0), gone: undefined }) },
    ];
    const { variables, failures } = await captured(collectors);
    expect(variables).toEqual({ my_data: "1970-01-01T00:00:00.000Z" });
    expect(Object.fromEntries(failures.map(({ name, error }) => [name, error]))).toEqual({
      throws: "no such table",
      rejects: "closed",
      hangs: "It took longer than 20 ms.",
      null: "It did not return an object.",
      list: "It did not return an object.",
      bigint: "The state holds a BigInt at variables.run.count, which JSON cannot express.",
      cycle: "The state contains itself, below variables.cycle.self.self.self.self.self.self.",
      deep: "The state nests deeper than 256 levels, below variables.a.a.a.a.a.a.a.",
    });
    await aborted;
  });

  it("gives collectors what they need, and takes any name for a variable", async () => {
    const reader: Collector = {
      name: "reader",
      collect: ({ root, now, env }) => ({ root, at: now(), home: env["HOME"], ["__proto__"]: 1 }),
    };
    const { variables } = await captured([reader], { root: "/project", now: () => 42, env: { HOME: "/x" } });
    expect(JSON.stringify(variables)).toBe('{"root":"/project","at":42,"home":"/x","__proto__":1}');
  });
});

function raise(message: string): never {
  throw new Error(message);
}
