import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { openUnguarded, type Cairn } from "../src/work/state/cairn.ts";
import { exportTrail } from "../src/core/trails/transfer/export-trail.ts";
import type { JsonObject } from "../src/core/objects/json.ts";
import { linksOf } from "../src/core/objects/object-format.ts";
import type { StoredCheckpoint } from "../src/core/store/contract.ts";
import { loadAll, loadFromExport, loadFromStore } from "./second-reader/reader.ts";

let folder: string;
let cairn: Cairn;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "cairn-second-reader-"));
  cairn = await openUnguarded({ path: folder });
});

afterEach(async () => {
  await cairn.close();
  rmSync(folder, { recursive: true });
});

const store = () => join(folder, "store.sqlite");

/** Values of every form: inline, apart, cut into runs, under indexes of indexes, in pieces, awkward. */
function stateAt(step: number): JsonObject {
  const word = (seed: number) => ((seed * 2_654_435_761) % 4_294_967_296).toString(36);
  return {
    step,
    messages: Array.from({ length: 5000 + step }, (_, id) => ({
      id: `m${id}`,
      text: `${word(id)} `.repeat(30),
    })),
    plain: Array.from({ length: 800 }, (_, index) => [
      word(index * 7 + (index % 20 === step ? 1 : 0)),
      index,
    ]),
    files: Object.fromEntries(
      Array.from({ length: 26_000 }, (_, index) => [
        `src/${word(index)}.ts`,
        { size: index, hash: word(index) },
      ]),
    ),
    touched: Object.fromEntries(
      Array.from({ length: 2000 }, (_, index) => [word(index), word(index + (index === step ? 1 : 0))]),
    ),
    log:
      Array.from({ length: 40_000 }, (_, line) => `line ${line} ${word(line)}\n`).join("") + `step ${step}`,
    note: "é".repeat(1500),
    awkward: JSON.parse(
      '{"__proto__":{"a":1},"lone":"\\ud800","empty":[{},[],""],"deep":[[[[{"x":null}]]]]}',
    ) as JsonObject,
    ["__proto__x"]: -1.5e-7,
  };
}

/** Every form that the document describes. */
const OBJECTS = ["A", "C", "M", "S", "V"];
const LINKS = ["inline A", "inline M", "inline S"];
const ROWS = ["compressed patch", "frame", "frame with a dictionary", "patch", "raw"];

describe("a reader written from docs/reference/format.md alone", () => {
  it("shares no code with the library", () => {
    const text = readFileSync(join(import.meta.dirname, "second-reader/reader.ts"), "utf8");
    const imports = [...text.matchAll(/from "([^"]+)"/g)].map(([, name]) => name);
    expect(imports.every((name) => name?.startsWith("node:"))).toBe(true);
  });

  it("loads what the library stored, key for key, from the store and from an export", async () => {
    const trail = cairn.trail<JsonObject>("main", { initial: {} });
    for (let step = 0; step < 8; step++)
      await trail.commit(() => stateAt(step), { notes: `step ${step}`, agent_id: "a" });
    const { state, ...info } = await trail.load();
    const expected = JSON.stringify(state);

    const found = loadFromStore(store(), "main");
    expect(JSON.stringify(found.state)).toBe(expected);
    expect(found.objects).toBeGreaterThan(100);
    await cairn.trail<JsonObject>("short", { initial: {} }).commit({ goal: "ship" });
    const short = loadFromStore(store(), "short");
    expect(short.state).toEqual({ goal: "ship" });
    expect(new Set([...found.forms, ...short.forms])).toEqual(new Set([...OBJECTS, ...LINKS, ...ROWS]));
    expect(found.id).toBe(info.content_hash);
    expect(info).toMatchObject(found.checkpoint);

    let file = "";
    for await (const line of exportTrail(cairn.store, "main")) file += line;
    expect(JSON.stringify(loadFromExport(file).state)).toBe(expected);
    expect(() => loadFromExport(file.replace("step 7", "step 6"))).toThrow("the export was changed");
  });

  it("loads every checkpoint of a store with records, removed trails and log entries", async () => {
    const states = new Map<string, unknown>();
    for (const name of ["main", "gone", "other"]) {
      const trail = cairn.trail<JsonObject>(name, { initial: {} });
      for (let step = 0; step < 5; step++) {
        const state = { name, step, text: `${name} `.repeat(900 + step) };
        states.set((await trail.commit(state)).content_hash, step);
      }
    }
    const [newest, older] = await cairn.store.history("main");
    const bytes = new Map([["note", Buffer.from("kept")]]);
    await cairn.store.attach((older as StoredCheckpoint).id, bytes);
    const { id, bytes: checkpoint } = newest as StoredCheckpoint;
    const again = { id, bytes: checkpoint, links: linksOf(checkpoint) };
    const change = { objects: [], checkpoint: again, trail: "copy", parent: undefined, createdAt: 1 };
    await cairn.store.commit({ ...change, log: [{ what: "copied" }, { what: "done" }], foreignId: "1ef4" });
    await cairn.store.remove({ trails: ["gone"] });
    await cairn.sweep();
    const { checkpoints, removedTrails, log } = loadAll(store());
    expect(checkpoints.map(({ trail }) => trail)).toEqual([
      ...Array.from({ length: 5 }, () => "main"),
      ...Array.from({ length: 5 }, () => "other"),
      "copy",
    ]);
    for (const found of checkpoints) expect((found.state as JsonObject)["step"]).toBe(states.get(found.id));
    expect(checkpoints.filter(({ records }) => records["note"] === "kept").map((found) => found.id)).toEqual([
      (older as StoredCheckpoint).id,
    ]);
    expect(removedTrails).toEqual(["gone"]);
    expect(log).toEqual([{ what: "copied" }, { what: "done" }]);
  });

  it("still does after a sweep has rewritten what was stored as a change", async () => {
    const trail = cairn.trail<JsonObject>("main", { initial: {} });
    for (let step = 0; step < 8; step++) await trail.commit(() => stateAt(step));
    const { prune } = await import("../src/core/trails/prune.ts");
    await prune(cairn.store, { trail: "main" }, { last: 1 }, { now: new Date() });
    expect(JSON.stringify(loadFromStore(store(), "main").state)).toBe(JSON.stringify(stateAt(7)));
  });
});
