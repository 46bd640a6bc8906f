import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { diffStates, type Change } from "./diff.ts";
import { encode, type Encoded } from "./encode.ts";
import type { Json, JsonObject, Path } from "./json.ts";
import type { ObjectId } from "./object-id.ts";

/** `npm run proof` tries more values. */
const runs = (quick: number, full: number) => (process.env["CAIRN_FAULTS"] === "full" ? full : quick);

async function diff(from: JsonObject, to: JsonObject) {
  const objects = new Map<ObjectId, Uint8Array>();
  const roots = [from, to].map((state) => {
    const encoded = encode(state);
    for (const { id, bytes } of encoded.objects) objects.set(id, bytes);
    return encoded.memory.root;
  }) as [ObjectId, ObjectId];
  return diffStates(...roots, async (ids) => new Map(ids.map((id) => [id, objects.get(id) as Uint8Array])));
}

/** Makes the newer value out of the older one and the changes below it. */
function apply(value: Json, changes: readonly Change[], depth = 0): Json {
  const here = changes.filter((change) => change.path.length === depth);
  const changed = here.find((change) => change.kind === "changed");
  if (changed) return changed.to;
  const steps = changes.filter((change) => change.path.length > depth);
  if (steps.length === 0) return value;
  const own = steps.filter((change) => change.path.length === depth + 1);
  const step = ({ path }: { path: Path }) => path[depth] as string | number;
  const inside = (key: string | number) =>
    steps.filter(
      (change) => step(change) === key && (change.path.length > depth + 1 || change.kind === "changed"),
    );
  if (!Array.isArray(value)) {
    const result = { ...(value as JsonObject) };
    for (const change of own) if (change.kind === "removed") delete result[step(change)];
    for (const change of own) if (change.kind === "added") result[step(change)] = change.to;
    for (const key of Object.keys(result)) result[key] = apply(result[key] as Json, inside(key), depth + 1);
    return result;
  }
  const placed = new Map<number, Json>();
  const taken = new Set<number>();
  for (const change of own) {
    if (change.kind === "removed") taken.add(step(change) as number);
    if (change.kind === "added") placed.set(step(change) as number, change.to);
    if (change.kind === "moved") {
      taken.add(change.from);
      placed.set(change.to, value[change.from] as Json);
    }
  }
  const rest = value.filter((_, at) => !taken.has(at));
  const result: Json[] = [];
  while (rest.length > 0 || placed.has(result.length)) {
    const at = result.length;
    result.push(placed.has(at) ? (placed.get(at) as Json) : (rest.shift() as Json));
  }
  return result.map((element, at) => apply(element, inside(at), depth + 1));
}

const element = fc.record({ id: fc.nat(60), text: fc.string({ maxLength: 900, size: "max" }), n: fc.nat(3) });
const state = fc.record({
  withIds: fc.uniqueArray(element, { selector: ({ id }) => id, maxLength: 60, size: "max" }),
  plain: fc.array(fc.oneof(fc.nat(5), fc.string({ maxLength: 300, size: "max" })), {
    maxLength: 80,
    size: "max",
  }),
  map: fc.dictionary(fc.string({ maxLength: 3 }), fc.string({ maxLength: 900, size: "max" }), {
    maxKeys: 40,
    size: "max",
  }),
  any: fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>,
}) as fc.Arbitrary<JsonObject>;

/** Without what JSON itself changes (-0), and without a key that `apply` could not set. */
const states = state
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonObject)
  .filter((value) => !JSON.stringify(value).includes('"__proto__"'));

describe("diff", () => {
  it("finds what makes one state out of the other", async () => {
    await fc.assert(
      fc.asyncProperty(states, states, async (from, to) => {
        const { changes } = await diff(from, to);
        expect(apply(from, changes)).toEqual(to);
      }),
      { numRuns: runs(40, 150) },
    );
  });

  it("finds edits, insertions, removals and moves in long arrays", async () => {
    const list = (seed: number) =>
      Array.from({ length: 400 }, (_, at) => ({ id: at, text: `${seed} ${at} `.repeat(20) }));
    const step = fc.tuple(fc.constantFrom("edit", "insert", "remove", "move"), fc.nat(399), fc.nat(399));
    await fc.assert(
      fc.asyncProperty(
        fc.nat(9),
        fc.array(step, { maxLength: 6 }),
        fc.boolean(),
        async (seed, steps, hasIds) => {
          const from = hasIds ? list(seed) : list(seed).map(({ text }) => text);
          const to: Json[] = [...from];
          for (const [count, [kind, at, target]] of steps.entries()) {
            const text = `new ${count}`;
            const fresh = hasIds ? { id: 1000 + count, text } : text;
            if (kind === "edit")
              to[at % to.length] = hasIds ? { ...(to[at % to.length] as JsonObject), text } : text;
            if (kind === "insert") to.splice(at, 0, fresh);
            if (kind === "remove") to.splice(at % to.length, 1);
            if (kind === "move") to.splice(target, 0, ...to.splice(at % to.length, 1));
          }
          const { changes } = await diff({ from }, { from: to });
          expect(apply({ from }, changes)).toEqual({ from: to });
        },
      ),
      { numRuns: runs(40, 200) },
    );
  });

  it.each([true, false])(
    "finds moved blocks in arrays with several levels of index (ids: %s)",
    async (hasIds) => {
      const texts = Array.from({ length: 2500 }, (_, at) => `${at} `.repeat(120));
      const list: Json[] = hasIds ? texts.map((text, id) => ({ id, text })) : texts;
      const blockMove = fc.tuple(fc.nat(2499), fc.integer({ min: 1, max: 1500 }), fc.nat(2499));
      await fc.assert(
        fc.asyncProperty(fc.array(blockMove, { minLength: 1, maxLength: 2 }), async (moves) => {
          const to = [...list];
          for (const [start, length, target] of moves) to.splice(target, 0, ...to.splice(start, length));
          const { changes } = await diff({ list }, { list: to });
          // Compared as texts, because this is a lot to compare.
          expect(JSON.stringify(apply({ list }, changes)) === JSON.stringify({ list: to })).toBe(true);
        }),
        { numRuns: runs(3, 8), examples: [[[[1200, 1300, 0]]], [[[300, 900, 1500]]]] },
      );
    },
    30_000,
  );

  it("finds nothing in equal states, and reads nothing", async () => {
    await fc.assert(
      fc.asyncProperty(state, async (value) => {
        expect(await diff(value, structuredClone(value))).toEqual({ changes: [], objectsRead: 0 });
      }),
      { numRuns: 50 },
    );
  });

  it("reads few objects for neighbours in a large state", async () => {
    const messages = Array.from({ length: 2000 }, (_, id) => ({
      id: `m${id}`,
      text: `message ${id} `.repeat(60),
    }));
    const edited = messages.map((message, at) => (at === 1234 ? { ...message, text: "edited" } : message));
    const { changes, objectsRead } = await diff(
      { messages, step: 1 },
      { messages: [...edited, { id: "new", text: "x" }], step: 2 },
    );
    expect(changes.map(({ kind, path }) => [kind, ...path])).toEqual([
      ["changed", "messages", 1234, "text"],
      ["added", "messages", 2000],
      ["changed", "step"],
    ]);
    expect(objectsRead).toBeLessThanOrEqual(12);
  });

  it("reads few objects when the last runs have just come under an index", async () => {
    const list = Array.from({ length: 2000 }, (_, id) => ({
      id: `m${id}`,
      text: `message ${id} `.repeat(60),
    }));
    const objects = new Map<ObjectId, Uint8Array>();
    const read = async (ids: readonly ObjectId[]) =>
      new Map(ids.map((id) => [id, objects.get(id) as Uint8Array]));
    const keep = ({ memory: kept, objects: added }: Encoded) => {
      for (const { id, bytes } of added) objects.set(id, bytes);
      return kept;
    };
    let memory = keep(encode({ list }));
    const pairs: [ObjectId, ObjectId][] = [];
    for (let at = 0; at < 600; at++) {
      list.push({ id: `new ${at}`, text: `one more ${at} `.repeat(60) });
      const encoded = encode({ list }, memory);
      const next = keep(encoded);
      const hasIndex = encoded.objects.some(({ bytes }) => bytes[0] === "A".charCodeAt(0));
      if (hasIndex) pairs.push([memory.root, next.root]);
      memory = next;
    }
    expect(pairs.length).toBeGreaterThan(0);
    for (const [from, to] of pairs) {
      const { objectsRead, changes } = await diffStates(from, to, read);
      expect(changes).toHaveLength(1);
      expect(objectsRead).toBeLessThanOrEqual(6);
    }
  });

  it("tells a move from a change by the element's id", async () => {
    const tasks = ["a", "b", "c", "d"].map((id) => ({ id, done: false }));
    const [a, b, c, d] = tasks as unknown as JsonObject[] as [JsonObject, JsonObject, JsonObject, JsonObject];
    const { changes } = await diff({ tasks }, { tasks: [d, a, { ...b, done: true }, c] });
    expect(changes).toEqual([
      { kind: "moved", path: ["tasks", 0], id: "d", from: 3, to: 0 },
      { kind: "changed", path: ["tasks", 2, "done"], from: false, to: true },
    ]);
  });
});
