import assert from "node:assert/strict";
import { step, thread, valuesOf, writesOf, type SaverSuite } from "./suite.ts";

type Log = Record<"log", { text: string }[]>;

export function testMutation({ test, options }: SaverSuite): void {
  test("saves a value that was changed in place", async ({ saver }) => {
    const log = [{ text: "first" }, { text: "second" }];
    const base = await step(saver, thread("t"), { log });
    (log[0] as { text: string }).text = "changed";
    const next = await step(saver, base, { log });
    assert.deepEqual(await valuesOf(saver, next), { log: [{ text: "changed" }, { text: "second" }] });
    assert.deepEqual(await valuesOf(saver, base), { log: [{ text: "first" }, { text: "second" }] });
  });

  test("keeps what was put, whatever the caller does with it afterwards", async ({ saver }) => {
    const log = [{ text: "first" }];
    const base = await step(saver, thread("t"), { log });
    await saver.putWrites(base, [["log", log]], "task");
    (log[0] as { text: string }).text = "changed";
    assert.deepEqual(await valuesOf(saver, base), { log: [{ text: "first" }] });
    assert.deepEqual(await writesOf(saver, base), [["log", [{ text: "first" }]]]);
  });

  test("gives every reader values of its own", async ({ saver }) => {
    const base = await step(saver, thread("t"), { log: [{ text: "first" }] });
    await saver.putWrites(base, [["log", { text: "write" }]], "task");
    const mine = await saver.getTuple(base);
    const values = mine?.checkpoint.channel_values as Log;
    (values.log[0] as { text: string }).text = "spoilt";
    for (const write of mine?.pendingWrites ?? []) (write[2] as { text: string }).text = "spoilt";
    assert.deepEqual(await valuesOf(saver, base), { log: [{ text: "first" }] });
    assert.deepEqual(await writesOf(saver, base), [["log", { text: "write" }]]);
  });

  const { makeMessage } = options;
  if (makeMessage === undefined) return;
  test("saves a message that was changed in place, as a message", async ({ saver }) => {
    const log = [makeMessage("first"), makeMessage("second")] as { content: string }[];
    const base = await step(saver, thread("t"), { log });
    (log[0] as { content: string }).content = "changed";
    const next = await step(saver, base, { log });
    const read = ((await valuesOf(saver, next)) as { log: { content: string }[] }).log;
    assert.deepEqual(
      read.map(({ content }) => content),
      ["changed", "second"],
    );
    assert.equal(read[0]?.constructor, log[0]?.constructor);
  });
}

export function testHostileData({ test }: SaverSuite): void {
  const comesBack = (name: string, value: unknown) => {
    test(`gives back ${name}`, async ({ saver }) => {
      const base = await step(saver, thread("t"), { value });
      await saver.putWrites(base, [["value", value]], "task");
      assert.deepEqual(await valuesOf(saver, base), { value });
      assert.deepEqual(await writesOf(saver, base), [["value", value]]);
    });
  };
  comesBack("data that looks like a constructor", {
    lc: 1,
    type: "constructor",
    id: ["langchain_core", "messages", "HumanMessage"],
    kwargs: { content: "mine" },
  });
  comesBack("data that looks like a set of its serializer", {
    lc: 2,
    type: "constructor",
    id: ["Set"],
    method: null,
    args: [[1, 2]],
    kwargs: {},
  });
  comesBack("data that looks like undefined of its serializer", { lc: 2, type: "undefined" });
  comesBack("bytes as bytes", { bytes: new Uint8Array([0, 1, 255]) });
  comesBack("maps and sets", new Map<unknown, unknown>([["a", new Set([1, 2])]]));
  comesBack("odd keys and texts", { "": 1, "a.b": 2, "$.c": 3, text: "\u0000 \u2028 é 日本" });
  comesBack("numbers that JSON cannot say", [Number.NaN, Infinity, -0]);

  test("takes __proto__ as a key like any other", async ({ saver }) => {
    const value = JSON.parse('{"__proto__": {"polluted": true}, "a": 1}') as object;
    const base = await step(saver, thread("t"), { value });
    const read = (await valuesOf(saver, base))?.["value"] as Record<string, unknown>;
    assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
    assert.equal(Object.getPrototypeOf(read), Object.prototype);
    assert.deepEqual(Object.keys(read), ["__proto__", "a"]);
  });

  test("keeps threads with odd names apart", async ({ saver }) => {
    const names = [
      "a",
      "a/b",
      "a%",
      "a_",
      "A",
      "'; DROP TABLE checkpoints; --",
      "日本",
      "x".repeat(300),
      "x".repeat(301),
    ];
    for (const name of names) await step(saver, thread(name), { name });
    for (const name of names) assert.deepEqual(await valuesOf(saver, thread(name)), { name });
  });

  test("filters by metadata without reading the filter as a query", async ({ saver }) => {
    const base = await step(saver, thread("t"), { n: 0 }, { metadata: { user: "ann", "a.b": 1 } });
    await step(saver, base, { n: 1 }, { metadata: { user: "bob" } });
    const found = async (filter: object) => {
      const values = [];
      for await (const tuple of saver.list(thread("t"), { filter: { ...filter } }))
        values.push(tuple.checkpoint.channel_values["n"]);
      return values;
    };
    assert.deepEqual(await found({ user: "ann" }), [0]);
    assert.deepEqual(await found({ "a.b": 1 }), [0]);
    assert.deepEqual(await found({ user: "' OR 1=1 --" }), []);
  });
}

export function testTampering({ test }: SaverSuite): void {
  const notices = (
    what: string,
    put: (text: string) => readonly [values: object, writes: [string, unknown][]],
  ) => {
    test(`notices ${what} that was changed behind its back`, async ({ saver, tamper }) => {
      assert.ok(tamper, "There is nothing that could be tampered with.");
      const [values, writes] = put("balance-100");
      const base = await step(saver, thread("t"), values as Record<string, unknown>);
      if (writes.length > 0) await saver.putWrites(base, writes, "task");
      const again = await tamper(writes.length > 0 ? "writes" : "state", "balance-100", "balance-900");
      await assert.rejects(async () => {
        const tuple = await again.getTuple(base);
        assert.ok(!JSON.stringify(tuple).includes("balance-900"), "It was read as if it were right.");
        return tuple;
      }, isNoAssertion);
    });
  };
  notices("state", (text) => [{ account: text }, []]);
  notices("a pending write", (text) => [{ account: 1 }, [["account", text]]]);
}

/** An error of the saver's, not of the test's. */
function isNoAssertion(error: unknown): boolean {
  assert.ok(!(error instanceof assert.AssertionError), error as Error);
  return true;
}
