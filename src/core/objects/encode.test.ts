import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { decode } from "./decode.ts";
import { encode, recall, type Encoded, type Memory } from "./encode.ts";
import { charsOf } from "./entry.ts";
import type { Json, JsonObject } from "./json.ts";
import { MAX_DEPTH } from "./limits.ts";
import type { ObjectId } from "./object-id.ts";
import { remember } from "./remember.ts";

/** `npm run proof` tries more values. */
const runs = (quick: number, full: number) => (process.env["CAIRN_FAULTS"] === "full" ? full : quick);

/** The simplest place to keep objects. */
function shelf() {
  const objects = new Map<ObjectId, Uint8Array>();
  return {
    objects,
    read: async (ids: readonly ObjectId[]) =>
      new Map(ids.flatMap((id) => (objects.has(id) ? [[id, objects.get(id) as Uint8Array] as const] : []))),
    add: ({ objects: added, memory }: Encoded): Memory => {
      for (const { id, bytes } of added) objects.set(id, bytes);
      return memory;
    },
  };
}

const anyState = fc.dictionary(
  fc.string({ unit: "binary" }),
  fc.jsonValue({ noUnicodeString: false, maxDepth: 6 }),
) as fc.Arbitrary<JsonObject>;

/** States large enough to be cut into runs and indexes. */
const largeState = fc
  .record({
    messages: fc.array(fc.record({ id: fc.nat(10_000), text: fc.string({ maxLength: 900, size: "max" }) }), {
      maxLength: 400,
      size: "max",
    }),
    plain: fc.array(fc.string({ maxLength: 200, size: "max" }), { maxLength: 300, size: "max" }),
    map: fc.dictionary(
      fc.string({ minLength: 1, maxLength: 8 }),
      fc.string({ maxLength: 600, size: "max" }),
      { maxKeys: 80, size: "max" },
    ),
    long: fc.string({ maxLength: 6000, size: "max" }),
    nested: fc.record({
      inner: fc.array(fc.record({ deep: fc.string({ maxLength: 4000, size: "max" }) }), { maxLength: 12 }),
    }),
  })
  .map((value) => value as unknown as JsonObject);

/** One change that a program would make to its state. */
const edit = fc.tuple(
  fc.constantFrom("append", "trim", "change", "insert", "key", "long"),
  fc.nat(1000),
  fc.string({ maxLength: 300 }),
);

function applyEdit(state: JsonObject, [kind, at, text]: [string, number, string]): JsonObject {
  const next = structuredClone(state);
  const messages = next.messages as JsonObject[];
  const index = messages.length === 0 ? 0 : at % messages.length;
  if (kind === "append") messages.push({ id: at, text });
  if (kind === "trim") messages.splice(0, at % 40);
  if (kind === "change" && messages[index]) messages[index] = { ...messages[index], text };
  if (kind === "insert") messages.splice(index, 0, { id: at, text });
  if (kind === "key") (next.map as JsonObject)[text] = at;
  if (kind === "long") next.long = (next.long as string) + text;
  return next;
}

describe("encode and decode", () => {
  it("round-trips every JSON object exactly, key order included", async () => {
    await fc.assert(
      fc.asyncProperty(anyState, async (state) => {
        const { add, read } = shelf();
        const { root } = add(encode(state));
        expect(JSON.stringify(await decode(root, read))).toBe(JSON.stringify(state));
      }),
      { numRuns: runs(80, 300) },
    );
  });

  it("gives equal states equal roots, whatever was remembered and however it was recognised", async () => {
    await fc.assert(
      fc.asyncProperty(largeState, fc.array(edit, { maxLength: 6 }), async (first, edits) => {
        const { add, read } = shelf();
        let verified = add(encode(first));
        let identified = add(encode(first, undefined, "identity"));
        let state = first;
        for (const change of edits) {
          state = applyEdit(state, change);
          verified = add(encode(state, verified));
          identified = add(encode(state, identified, "identity"));
          const recalled = add(encode(state, await remember(verified.root, read)));
          const scratch = encode(state).memory;
          expect(verified.root).toBe(scratch.root);
          expect(identified.root).toBe(scratch.root);
          expect(recalled.root).toBe(scratch.root);
          const chars = JSON.stringify(state).length;
          for (const { entry } of [verified, identified, recalled, scratch])
            expect(charsOf(entry)).toBe(chars);
        }
        expect(await decode(verified.root, read)).toEqual(state);
        expect(recall(await remember(verified.root, read))).toEqual(state);
        expect(recall(verified)).toEqual(state);
      }),
      { numRuns: runs(20, 60) },
    );
  });

  it("writes nothing for a state that did not change", () => {
    const state = { list: Array.from({ length: 500 }, (_, id) => ({ id, text: "x".repeat(50) })) };
    const { memory } = encode(state);
    expect(encode(structuredClone(state), memory).objects).toEqual([]);
  });

  it("writes little for an append, an edit, a removal at the front and an insertion", () => {
    const list = Array.from({ length: 2000 }, (_, id) => ({
      id: `m${id}`,
      text: `message ${id} `.repeat(60),
    }));
    const { memory } = encode({ list });
    const total = encode({ list }).objects.length;
    expect(total).toBeGreaterThan(60);
    const changed = (next: unknown[]) => encode({ list: next }, memory).objects.length;
    expect(changed([...list, { id: "new", text: "x" }])).toBeLessThanOrEqual(4);
    expect(
      changed(list.map((item, at) => (at === 900 ? { ...item, text: "edited" } : item))),
    ).toBeLessThanOrEqual(4);
    expect(changed(list.slice(150))).toBeLessThanOrEqual(7);
    expect(changed(list.toSpliced(700, 0, { id: "new", text: "x" }))).toBeLessThanOrEqual(5);
  });

  it("writes an append as two objects, however long the array is, until its last run or index is full", () => {
    const list = Array.from({ length: 2000 }, (_, id) => ({
      id: `m${id}`,
      text: `message ${id} `.repeat(60),
    }));
    let { memory } = encode({ list }, undefined, "identity");
    const counts = Array.from({ length: 300 }, (_, at) => {
      list.push({ id: `new ${at}`, text: `one more ${at} `.repeat(60) });
      const encoded = encode({ list: [...list] }, memory, "identity");
      ({ memory } = encoded);
      return encoded.objects.length;
    });
    expect(counts.filter((count) => count === 2).length).toBeGreaterThan(250);
    expect(Math.max(...counts)).toBeLessThanOrEqual(4);
    expect(memory.root).toBe(encode({ list }).memory.root);
  });

  it("gives equal roots however an array with several levels of index came about", async () => {
    const { add, read } = shelf();
    const element = (id: number) => ({ id: `m${id}`, text: `${id} é `.repeat(250) });
    const all = Array.from({ length: 9000 }, (_, id) => element(id));
    let memory = add(encode({ list: all.slice(0, 8000) }));
    let recalled = memory;
    for (let length = 8100; length <= 9000; length += 100) {
      const state = { list: all.slice(0, length) };
      memory = add(encode(state, memory));
      recalled = add(encode(state, await remember(recalled.root, read)));
      expect(recalled.root).toBe(memory.root);
    }
    expect(memory.root).toBe(encode({ list: all }).memory.root);
    expect(charsOf(memory.entry)).toBe(JSON.stringify({ list: all }).length);
    const trimmed = { list: all.slice(500) };
    expect(encode(trimmed, memory).memory.root).toBe(encode(trimmed).memory.root);
    expect(await decode(memory.root, read)).toEqual({ list: all });
  });

  it("goes on with an open run after entries with links, and in objects", () => {
    const long = "long ".repeat(1000);
    const list: Json[] = Array.from({ length: 40 }, (_, id) => ({ id, text: "x".repeat(100) }));
    const map: JsonObject = {};
    let { memory } = encode({ list, map });
    for (let at = 0; at < 60; at++) {
      list.push(
        at % 7 === 3 ? { id: `long ${at}`, long } : { id: `short ${at}`, text: "ü€\ud83d\ude00".repeat(30) },
      );
      map[`key ${at}`] = "y".repeat(150);
      ({ memory } = encode({ list, map }, memory));
      expect(memory.root).toBe(encode({ list, map }).memory.root);
      expect(charsOf(memory.entry)).toBe(JSON.stringify({ list, map }).length);
    }
  });

  it("writes little for long insertions, and for an insertion after edits of neighbours", () => {
    const list: unknown[] = Array.from({ length: 8000 }, (_, id) => ({
      id: `m${id}`,
      text: `${id} `.repeat(30),
    }));
    const withoutIds = list.map((_, at) => ({ role: "user", text: `${at} `.repeat(30) }));
    const fresh = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ role: "tool", text: `new ${at}` }));
    for (const old of [list, withoutIds]) {
      const { memory, objects } = encode({ list: old });
      expect(objects.length).toBeGreaterThan(30);
      const encoded = (next: unknown[]) => encode({ list: next }, memory).objects;
      const changed = (next: unknown[]) => encoded(next).length;
      expect(changed([...fresh(5), ...old])).toBeLessThanOrEqual(5);
      expect(changed([...fresh(200), ...old])).toBeLessThanOrEqual(8);
      expect(changed(old.toSpliced(2000, 0, ...fresh(17)))).toBeLessThanOrEqual(5);
      const edited = old.map((item, at) =>
        at < 60 && at % 10 < 2 ? { id: `q${at}`, text: "edited" } : item,
      );
      expect(changed(edited.toSpliced(1000, 0, ...fresh(1)))).toBeLessThanOrEqual(8);
      // What moved far is encoded again, but to objects that a store has.
      const known = new Set(objects.map(({ id }) => id));
      const moved = encoded([...old.slice(3000), ...old.slice(0, 3000)]);
      expect(moved.filter(({ id }) => !known.has(id)).length).toBeLessThanOrEqual(10);
    }
  });

  it("gives equal roots after moves, duplicates and long insertions", async () => {
    const element = fc.oneof(
      fc.nat(5),
      fc.record({ id: fc.nat(30), text: fc.string({ maxLength: 300, size: "max" }) }),
      fc.record({ role: fc.constantFrom("user", "tool"), text: fc.string({ maxLength: 300, size: "max" }) }),
      fc.tuple(fc.nat(3), fc.nat(3)),
    );
    const list = fc.array(element, { maxLength: 200, size: "max" });
    const step = fc.tuple(fc.nat(200), fc.nat(60), fc.nat(200), fc.boolean());
    await fc.assert(
      fc.asyncProperty(list, fc.array(step, { maxLength: 3 }), list, async (old, steps, added) => {
        const next: unknown[] = structuredClone(old);
        for (const [start, count, target, isCopy] of steps) {
          const block = isCopy ? next.slice(start, start + count) : next.splice(start, count);
          next.splice(target, 0, ...block);
        }
        next.splice(7, 0, ...added.slice(0, 40));
        const scratch = encode({ next }).memory.root;
        expect(encode({ next }, encode({ next: old }).memory).memory.root).toBe(scratch);
        const trusting = encode({ next: old }, undefined, "identity").memory;
        expect(encode({ next }, trusting, "identity").memory.root).toBe(scratch);
      }),
      { numRuns: runs(20, 60) },
    );
  });

  it("keeps the count of a run that was read back, whatever comes to stand before it", async () => {
    const { add, read } = shelf();
    const long = Array.from({ length: 300 }, (_, id) => ({ id, text: "x".repeat(200) }));
    const { entry } = encode(long).memory;
    // Where a run ends, so that what comes after it is cut as if it stood alone.
    const end = entry.kind === "tree" ? (entry.levels[0]?.groups[0]?.end ?? 0) : 0;
    const list = long.slice(end, end + 12);
    const memory = await remember(add(encode({ list })).root, read);
    const next = { list: long.slice(0, end + 12) };
    expect(encode(next, memory).memory.root).toBe(encode(next).memory.root);
  });

  it("tells keys apart that hold the same object", () => {
    const shared = { text: "x".repeat(3000) };
    const named = (prefix: string) =>
      Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`${prefix}${at}`, shared]));
    const { memory } = encode({ map: { ...named("a"), z: shared } });
    const next = { map: { ...named("b"), z: shared } };
    expect(encode(next, memory).memory.root).toBe(encode(structuredClone(next)).memory.root);
    const first = { map: { z: shared, ...named("a") } };
    const renamed = { map: { z: shared, ...named("b") } };
    expect(encode(renamed, encode(first).memory).memory.root).toBe(encode(renamed).memory.root);
  });

  it("recognises changes made in place", async () => {
    const { add, read } = shelf();
    const state = {
      list: Array.from({ length: 300 }, (_, id) => ({ id, done: false, text: "y".repeat(80) })),
    };
    let memory = add(encode(state));
    (state.list[150] as { done: boolean }).done = true;
    memory = add(encode(state, memory));
    expect(((await decode(memory.root, read)) as { list: { done: boolean }[] }).list[150]?.done).toBe(true);
  });

  it("behaves like JSON.stringify for toJSON, undefined properties, boxed values and -0", async () => {
    const { add, read } = shelf();
    const state = {
      at: new Date(0),
      gone: undefined,
      boxed: Object("text") as unknown,
      zero: -0,
      list: [new Date(1)],
    };
    const { root } = add(encode(state));
    expect(JSON.stringify(await decode(root, read))).toBe(JSON.stringify(state));
  });

  it("leaves out a property whose toJSON returns undefined, at first and later", async () => {
    const { add, read } = shelf();
    const gone = { toJSON: () => undefined };
    const first = add(encode({ a: gone, b: 1 }));
    expect(await decode(first.root, read)).toEqual({ b: 1 });
    const second = add(encode({ a: 1, b: 1 }, first));
    expect(add(encode({ a: gone, b: 1 }, second)).root).toBe(first.root);
  });

  it("writes null for an invalid date that replaces a long element", async () => {
    const { add, read } = shelf();
    const memory = add(encode({ list: [{ text: "x".repeat(3000) }] }));
    const { root } = add(encode({ list: [new Date(Number.NaN)] }, memory));
    expect(await decode(root, read)).toEqual({ list: [null] });
  });

  it("keeps lone surrogates, empty containers and __proto__", async () => {
    const { add, read } = shelf();
    const state = JSON.parse(
      '{"__proto__":{"polluted":true},"lone":"\\ud800","empty":[{},[],""],"long":"' +
        "\\udfff".repeat(3000) +
        '"}',
    ) as JsonObject;
    const { root } = add(encode(state));
    const back = (await decode(root, read)) as JsonObject;
    expect(JSON.stringify(back)).toBe(JSON.stringify(state));
    expect(Object.hasOwn(back, "__proto__")).toBe(true);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it("cuts very long strings into pieces, and shares the pieces that an edit did not touch", async () => {
    const { add, read, objects } = shelf();
    const text = Array.from(
      { length: 30_000 },
      (_, line) => `line ${line}: ${(line * 7919) % 10_007}\n`,
    ).join("");
    const { root } = add(encode({ text }));
    expect(await decode(root, read)).toEqual({ text });
    const before = objects.size;
    expect(before).toBeGreaterThan(4);
    add(encode({ text: text.replace("line 15000:", "LINE 15000:") }));
    expect(objects.size - before).toBeLessThanOrEqual(3);
  });
});

describe("what JSON cannot say", () => {
  const cyclic: { self?: unknown } = {};
  cyclic.self = cyclic;
  let deep: unknown = 1;
  for (let level = 0; level < 400; level++) deep = [deep];

  it.each<[string, unknown, string]>([
    ["NaN", { a: { b: [1, Number.NaN] } }, "The state holds NaN at a.b[1], which JSON cannot express."],
    ["Infinity", { a: Infinity }, "The state holds Infinity at a, which JSON cannot express."],
    ["a BigInt", { "my key": 1n }, 'The state holds a BigInt at ["my key"], which JSON cannot express.'],
    ["a function", { run: () => 1 }, "The state holds a function at run, which JSON cannot express."],
    [
      "a boxed BigInt",
      { a: Object(1n) as unknown },
      "The state holds a BigInt at a, which JSON cannot express.",
    ],
    [
      "toJSON without a result in an array",
      { list: [{ toJSON: () => undefined }] },
      "The state holds undefined at list[0], which JSON cannot express.",
    ],
    ["a symbol", { s: Symbol("x") }, "The state holds a symbol at s, which JSON cannot express."],
    [
      "undefined in an array",
      { list: [undefined] },
      "The state holds undefined at list[0], which JSON cannot express.",
    ],
    ["a Map", { map: new Map() }, "The state holds a Map at map, which JSON cannot express."],
    [
      "binary data",
      { bytes: new Uint8Array(2) },
      "The state holds binary data at bytes, which JSON cannot express.",
    ],
    ["a cycle", { cyclic }, "The state contains itself, below cyclic.self.self.self.self.self.self.self."],
    ["depth", { deep }, "The state nests deeper than 256 levels, below deep[0][0][0][0][0][0][0]."],
  ])("refuses %s with its path", (_name, state, message) => {
    expect(() => encode(state as Json as JsonObject)).toThrow(
      expect.objectContaining({ code: "usage", message }),
    );
  });

  it.each<[string, object, unknown]>([
    ["a Map", {}, new Map([["k", 1]])],
    ["a Set", {}, new Set([1])],
    ["an Error", {}, new Error("lost")],
    ["binary data", { 0: 1 }, Uint8Array.of(1)],
    ["a Map", { text: "x".repeat(3000) }, Object.assign(new Map(), { text: "x".repeat(3000) })],
  ])("refuses %s that replaces an object with the same properties", (found, before, after) => {
    for (const place of [(value: unknown) => ({ a: value }), (value: unknown) => ({ a: [1, value] })]) {
      const { memory } = encode(place(before));
      expect(() => encode(place(after), memory)).toThrow(
        expect.objectContaining({ code: "usage", details: expect.objectContaining({ found }) as unknown }),
      );
    }
  });

  it("keeps a key called __proto__ also when a state is recalled, and in a map that is cut into parts", async () => {
    const entries = Array.from({ length: 400 }, (_, index) => `"key-${index}":"${"x".repeat(40)}"`).join();
    const text = `{"__proto__":{"a":1},"inner":{"__proto__":"b"},"map":{"__proto__":[1],${entries}}}`;
    const { memory, objects } = encode(JSON.parse(text) as object);
    const stored = new Map(objects.map(({ id, bytes }) => [id, bytes]));
    expect(JSON.stringify(recall(memory))).toBe(text);
    expect(JSON.stringify(await decode(memory.root, async () => stored))).toBe(text);
  });

  it("takes states that nest as deep as the limit, and no deeper", () => {
    const nested = (containers: number) => {
      let value: object = {};
      for (let count = 1; count < containers; count++) value = { value };
      return value;
    };
    expect(() => encode(nested(MAX_DEPTH))).not.toThrow();
    const tooDeep = expect.objectContaining({ code: "usage" }) as unknown;
    expect(() => encode(nested(MAX_DEPTH + 1))).toThrow(tooDeep);
    // The same object twice: less deep first, then where it does not fit.
    const shared = { list: nested(100), text: "x".repeat(3000) };
    const below = (levels: number) => {
      let value: object = shared;
      for (let count = 0; count < levels; count++) value = [value];
      return value;
    };
    expect(() => encode({ shared, deep: below(150) })).not.toThrow();
    expect(() => encode({ shared, deep: below(160) })).toThrow(tooDeep);
  });
});

describe("the limit for the size of a state", () => {
  const million = "x".repeat(1_000_000);
  const tooLarge = expect.objectContaining({
    code: "usage",
    message: expect.stringContaining("characters of JSON") as unknown,
  }) as unknown;
  const many = (value: unknown, count: number) => Array.from({ length: count }, () => value);

  it("counts keys", () => {
    expect(() => encode({ list: many({ [million]: 1 }, 300) })).toThrow(tooLarge);
  });

  it("counts what did not change", () => {
    const { memory } = encode({ list: many([million], 200) });
    expect(() => encode({ list: many([million], 200), more: many([`${million}y`], 100) }, memory)).toThrow(
      tooLarge,
    );
  });

  it("counts a value as often as it stands there, without walking through it as often", () => {
    let value: unknown = [];
    for (let level = 0; level < 60; level++) value = [value, value];
    expect(() => encode({ value })).toThrow(tooLarge);
  });
});
