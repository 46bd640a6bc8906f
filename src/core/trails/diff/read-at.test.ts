import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encode } from "../../objects/encode.ts";
import type { Json, JsonObject, Path } from "../../objects/json.ts";
import type { ObjectId } from "../../objects/object-id.ts";
import { readAt } from "./read-at.ts";

describe("readAt", () => {
  it("reads any place of any state", async () => {
    // As JSON has it: there is no negative zero.
    const value = fc.jsonValue({ maxDepth: 4 }).map((json) => JSON.parse(JSON.stringify(json)) as Json);
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), value), async (state) => {
        const { root, read } = stored(state);
        for (const [path, expected] of placesOf(state))
          expect(await readAt(root, path, read)).toEqual(expected);
        expect(await readAt(root, ["no such place", 1], read)).toBeUndefined();
      }),
    );
  });

  it("reads little of a large state to find one task", async () => {
    const tasks = Array.from({ length: 5000 }, (_, index) => ({
      id: String(index),
      subject: `Task ${index} ${"x".repeat(200)}`,
    }));
    const { root, read, count } = stored({ tasks, log: "y".repeat(500_000) });
    expect(await readAt(root, ["tasks", 4321, "subject"], read)).toMatch(/^Task 4321 /);
    expect(await readAt(root, ["tasks", 5000], read)).toBeUndefined();
    expect(count()).toBeLessThan(12);
  });
});

function stored(state: JsonObject) {
  const { memory, objects } = encode(state);
  const all = new Map(objects.map(({ id, bytes }) => [id, bytes]));
  let reads = 0;
  const read = async (ids: readonly ObjectId[]) => {
    reads += ids.length;
    return new Map(ids.flatMap((id) => (all.has(id) ? [[id, all.get(id) as Uint8Array]] : [])));
  };
  return { root: memory.root, read, count: () => reads };
}

function placesOf(value: Json, path: Path = []): [Path, Json][] {
  if (typeof value !== "object" || value === null) return [[path, value]];
  const entries: [string | number, Json][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  return [[path, value], ...entries.flatMap(([key, item]) => placesOf(item, [...path, key]))];
}
