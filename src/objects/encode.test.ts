import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { decode } from "./decode.ts";
import { encode, recall, type Encoded, type Memory } from "./encode.ts";
import type { Json, JsonObject } from "./json.ts";
import type { ObjectId } from "./object-id.ts";
import { remember } from "./remember.ts";

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
      { numRuns: 300 },
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
        }
        expect(await decode(verified.root, read)).toEqual(state);
        expect(recall(await remember(verified.root, read))).toEqual(state);
        expect(recall(verified)).toEqual(state);
      }),
      { numRuns: 60 },
    );
  }, 60_000);

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
    ["NaN", { a: { b: [1, Number.NaN] } }, "The state holds NaN at a.b[1], which JSON cannot say."],
    ["Infinity", { a: Infinity }, "The state holds Infinity at a, which JSON cannot say."],
    ["a BigInt", { "my key": 1n }, 'The state holds a BigInt at ["my key"], which JSON cannot say.'],
    ["a function", { run: () => 1 }, "The state holds a function at run, which JSON cannot say."],
    ["a symbol", { s: Symbol("x") }, "The state holds a symbol at s, which JSON cannot say."],
    [
      "undefined in an array",
      { list: [undefined] },
      "The state holds undefined at list[0], which JSON cannot say.",
    ],
    ["a Map", { map: new Map() }, "The state holds a Map at map, which JSON cannot say."],
    [
      "binary data",
      { bytes: new Uint8Array(2) },
      "The state holds binary data at bytes, which JSON cannot say.",
    ],
    ["a cycle", { cyclic }, "The state contains itself, below cyclic.self.self.self.self.self.self.self."],
    ["depth", { deep }, "The state nests deeper than 256 levels, below deep[0][0][0][0][0][0][0]."],
  ])("refuses %s with its path", (_name, state, message) => {
    expect(() => encode(state as Json as JsonObject)).toThrow(
      expect.objectContaining({ code: "usage", message }),
    );
  });
});
