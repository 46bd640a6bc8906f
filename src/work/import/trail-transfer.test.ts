import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { isCheckpointError, type CheckpointError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/objects/json.ts";
import { newIndex, newValue, type NewObject } from "../../core/objects/object-format.ts";
import { objectIdOf, type ObjectId } from "../../core/objects/object-id.ts";
import type { Store } from "../../core/store/contract.ts";
import { openSqliteStore } from "../../core/store/sqlite.ts";
import { Cairn } from "../state/cairn.ts";
import { prune } from "../../core/trails/prune.ts";
import { exportTrail } from "../../core/trails/transfer/export-trail.ts";
import { importTrail, type ImportTrailOptions } from "./import-trail.ts";

const NOW = new Date("2026-01-24T08:00:00.000Z");

let folder: string;
let opened: Store[];
let here: Cairn;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "cairn-transfer-"));
  opened = [];
  here = await open("here");
});

afterEach(async () => {
  for (const store of opened) await store.close();
  rmSync(folder, { recursive: true });
});

async function open(name: string): Promise<Cairn> {
  const store = await openSqliteStore({ path: join(folder, name, "store.sqlite") });
  opened.push(store);
  let seconds = 0;
  return new Cairn(store, () => new Date(Date.parse("2026-01-23T12:00:00Z") + ++seconds * 1000));
}

/** A trail whose state is long enough to be cut, and which grows. */
async function work(cairn: Cairn, name: string, count: number): Promise<ObjectId[]> {
  const trail = cairn.trail<{ log: JsonObject[]; step: number }>(name, { initial: { log: [], step: 0 } });
  const ids: ObjectId[] = [];
  for (let step = 0; step < count; step++) {
    const { content_hash } = await trail.commit(
      (state) => {
        state.step = step;
        for (let line = 0; line < 8; line++)
          state.log.push({ id: `${step}.${line}`, text: `line ${line} `.repeat(20) });
      },
      { notes: `step ${step}` },
    );
    ids.push(content_hash);
  }
  return ids;
}

async function fileOf(store: Store, trail: string): Promise<string> {
  let text = "";
  for await (const line of exportTrail(store, trail)) text += line;
  return text;
}

/** The text as a stream in odd pieces. */
function chunksOf(text: string): () => AsyncIterable<Uint8Array> {
  const bytes = Buffer.from(text);
  return async function* () {
    for (let start = 0; start < bytes.length; start += 1009) yield bytes.subarray(start, start + 1009);
  };
}

const bring = (store: Store, text: string, options: Partial<ImportTrailOptions> = {}) =>
  importTrail(store, chunksOf(text), { source: "main.cairn", now: NOW, ...options });

const idsIn = async (store: Store, trail: string) => (await store.history(trail)).map(({ id }) => id);

const overview = async (store: Store) =>
  JSON.stringify([await store.trails(), (await store.find({})).length]);

async function refusal(promise: Promise<unknown>): Promise<CheckpointError> {
  const error: unknown = await promise.then(
    () => new Error("taken"),
    (caught: unknown) => caught,
  );
  if (!isCheckpointError(error)) throw error;
  return error;
}

describe("a trail as one file", () => {
  it("comes back with the same hashes, history and states, and exports to the same bytes", async () => {
    const ids = await work(here, "main", 40);
    const file = await fileOf(here.store, "main");
    const there = await open("there");
    const result = await bring(there.store, file);
    expect(result).toEqual({ trail: "main", head: ids.at(-1), checkpoints: 40, wasThere: false });
    expect(await idsIn(there.store, "main")).toEqual(ids.toReversed());
    expect(await there.trail("main").history()).toEqual(await here.trail("main").history());
    for (const id of [ids[0], ids[20], ids[39]]) {
      expect(await there.trail("main").load(id)).toEqual(await here.trail("main").load(id));
    }
    expect((await there.store.verify()).damage).toEqual([]);
    expect(await fileOf(there.store, "main")).toBe(file);
  });

  it("begins with its name and ends with a proof of the whole", async () => {
    const ids = await work(here, "main", 3);
    const lines = (await fileOf(here.store, "main")).trimEnd().split("\n");
    expect(JSON.parse(lines[0] as string)).toEqual({
      cairn: "trail",
      version: 1,
      trail: "main",
      head: ids[2],
      checkpoints: 3,
    });
    const before = lines
      .slice(0, -1)
      .map((line) => `${line}\n`)
      .join("");
    expect(JSON.parse(lines.at(-1) as string)).toEqual({
      end: {
        objects: lines.length - 5,
        checkpoints: 3,
        sha256: createHash("sha256").update(before).digest("hex"),
      },
    });
  });

  it("takes no more room where it arrives, because the file says what resembles what", async () => {
    await work(here, "main", 120);
    const there = await open("there");
    await bring(there.store, await fileOf(here.store, "main"));
    await Promise.all(opened.splice(0).map((store) => store.close()));
    const [original, copy] = ["here", "there"].map(
      (name) => statSync(join(folder, name, "store.sqlite")).size,
    ) as [number, number];
    expect(copy / original).toBeLessThan(1.3);
  });

  it("goes on from what was imported", async () => {
    const ids = await work(here, "main", 3);
    const there = await open("there");
    await bring(there.store, await fileOf(here.store, "main"));
    const next = await there.trail<JsonObject>("main").commit((state) => void (state.more = true));
    expect(next.parent_hash).toBe(ids[2]);
    await there.trail("main").undo();
    expect((await there.trail<JsonObject>("main").load()).state).not.toHaveProperty("more");
  });

  it("says that a pruned parent was pruned, and imports the rest", async () => {
    const ids = await work(here, "main", 10);
    await prune(here.store, { trail: "main" }, { last: 4 }, { now: NOW });
    const file = await fileOf(here.store, "main");
    expect(file.match(/"parent_is":"pruned"/g)).toHaveLength(1);
    const there = await open("there");
    await bring(there.store, file);
    expect(await idsIn(there.store, "main")).toEqual(ids.slice(6).toReversed());
    expect((await there.store.verify()).damage).toEqual([]);
    expect((await there.trail("main").load(ids[6])).parent_hash).toBe(ids[5]);
  });

  it("exports a fork by itself, and ties it to its origin again where that is present", async () => {
    const ids = await work(here, "main", 3);
    await here.trail("main").fork("fork");
    const [main, fork] = [await fileOf(here.store, "main"), await fileOf(here.store, "fork")];
    expect(fork).toContain('"parent_is":"elsewhere"');
    const alone = await open("alone");
    await bring(alone.store, fork);
    expect((await alone.store.verify()).damage).toEqual([]);
    const both = await open("both");
    await bring(both.store, main);
    await bring(both.store, fork);
    expect((await both.store.history("fork")).map(({ parent }) => parent)).toEqual([ids[2]]);
  });

  it("carries what is attached to checkpoints, but not the pins of its store", async () => {
    const [first] = (await work(here, "main", 2)) as [ObjectId];
    const value = Uint8Array.of(0, 255, 7);
    await here.store.attach(
      first,
      new Map([
        ["writes/1", value],
        ["pin/approval", value],
        ["__proto__", value],
      ]),
    );
    const there = await open("there");
    await bring(there.store, await fileOf(here.store, "main"));
    const attached = (await there.store.attachments([first])).get(first) ?? new Map<string, Uint8Array>();
    attached.delete("import");
    expect([...attached].map(([key, bytes]) => [key, [...bytes]])).toEqual([
      ["__proto__", [0, 255, 7]],
      ["writes/1", [0, 255, 7]],
    ]);
  });

  it("leaves a record on the head of where it came from", async () => {
    const ids = await work(here, "main", 2);
    const there = await open("there");
    await bring(there.store, await fileOf(here.store, "main"));
    const record = (await there.store.attachments(ids)).get(ids[1] as ObjectId)?.get("import");
    expect(JSON.parse(new TextDecoder().decode(record))).toMatchObject({
      source: "main.cairn",
      at: NOW.toISOString(),
    });
  });
});

describe("importing a trail under a name", () => {
  it("refuses a name that is taken, and hints at another; the same trail again is no conflict", async () => {
    await work(here, "main", 2);
    const file = await fileOf(here.store, "main");
    expect(await bring(here.store, file)).toMatchObject({ wasThere: true });
    await here.trail<JsonObject>("main").commit((state) => void (state.step = 99));
    const before = await overview(here.store);
    const error = await refusal(bring(here.store, file));
    expect(error).toMatchObject({
      code: "conflict",
      hint: expect.stringContaining("--as main-imported") as string,
    });
    expect(await overview(here.store)).toBe(before);
  });

  it("keeps the history as it was under another name, and adds one checkpoint that says so", async () => {
    const ids = await work(here, "main", 5);
    const { checkpoint_id } = await here.trail("main").load();
    const file = await fileOf(here.store, "main");
    const places = [
      { cairn: await open("there"), trigger: "import" },
      // What was made in this very store needs no proof.
      { cairn: here, trigger: "import:trusted" },
    ];
    for (const { cairn, trigger } of places) {
      const result = await bring(cairn.store, file, { as: "old/main" });
      const [head, ...rest] = await cairn.trail("old/main").history();
      expect(head).toMatchObject({
        trail: "old/main",
        trigger,
        parent_hash: ids[4],
        restored_from: checkpoint_id,
        notes: 'Imported from trail "main"',
      });
      expect(result.head).toBe(head?.content_hash);
      expect(rest.map(({ content_hash, trail }) => [content_hash, trail])).toEqual(
        ids.toReversed().map((id) => [id, "main"]),
      );
      expect((await cairn.trail("old/main").load()).state).toEqual((await here.trail("main").load()).state);
      expect((await cairn.store.verify()).damage).toEqual([]);
    }
    expect(
      await bring(await open("third").then(({ store }) => store), await fileOf(here.store, "old/main")),
    ).toMatchObject({ checkpoints: 6 });
  });

  it("refuses a malformed name before anything is touched", async () => {
    await work(here, "main", 1);
    const there = await open("there");
    const error = await refusal(
      bring(there.store, await fileOf(here.store, "main"), { as: "../../core/trails/etc" }),
    );
    expect(error.code).toBe("usage");
    expect(await overview(there.store)).toBe("[[],0]");
  });

  it("says that there is no such trail to export", async () => {
    expect(await refusal(fileOf(here.store, "nowhere"))).toMatchObject({ code: "not-found" });
  });
});

describe("what an imported trail says of who recorded it", () => {
  const RULE = { text: "Never ask", by: "person" };
  const MARKED = { text: "Never ask", by: "import:main.cairn (person)" };

  async function claims(): Promise<{ ids: ObjectId[]; file: string }> {
    const trail = here.trail<JsonObject>("main", { initial: {} });
    const first = await trail.commit({ goal: "old", constraints: [RULE] });
    const second = await trail.commit((state) => void (state.goal = "new"));
    return { ids: [first.content_hash, second.content_hash], file: await fileOf(here.store, "main") };
  }

  it("is marked on top of the history, which stays as it was, and is there when it comes again", async () => {
    const { ids, file } = await claims();
    const there = await open("there");
    const { head, wasThere } = await bring(there.store, file);
    expect(await idsIn(there.store, "main")).toEqual([head, ids[1], ids[0]]);
    expect(wasThere).toBe(false);
    expect(await there.trail("main").load()).toMatchObject({
      trigger: "import",
      state: { goal: "new", constraints: [MARKED], imported_texts: ["new"] },
    });
    expect((await there.trail("main").load(ids[0])).state).toEqual({ goal: "old", constraints: [RULE] });
    expect(await bring(there.store, file)).toMatchObject({ head, wasThere: true });
    expect((await there.store.verify()).damage).toEqual([]);
  });

  it("stays marked when an older checkpoint is restored, forked, or the import undone", async () => {
    const { ids, file } = await claims();
    const there = await open("there");
    await bring(there.store, file);
    const trail = there.trail<JsonObject>("main");
    const old = { goal: "old", constraints: [MARKED], imported_texts: ["old"] };
    await trail.restore(ids[0] as ObjectId);
    expect((await trail.load()).state).toEqual(old);
    await trail.fork("fork", { id: ids[0] as ObjectId });
    expect((await there.trail("fork").load()).state).toEqual(old);
    const again = await open("again");
    await bring(again.store, file);
    await again.trail("main").undo();
    expect((await again.trail("main").load()).state).toMatchObject({ constraints: [MARKED] });
  });

  it("is believed of a trusted file, which arrives as it was, and of what this store made itself", async () => {
    const { ids, file } = await claims();
    const there = await open("there");
    await bring(there.store, file, { trust: true });
    expect(await idsIn(there.store, "main")).toEqual(ids.toReversed());
    expect(await fileOf(there.store, "main")).toBe(file);
    await there.trail("main").restore(ids[0] as ObjectId);
    expect((await there.trail("main").load()).state).toMatchObject({ constraints: [RULE] });
    await bring(here.store, file, { as: "copy" });
    expect((await here.trail("copy").load()).state).toEqual({ goal: "new", constraints: [RULE] });
    await here.trail("main").restore(ids[0] as ObjectId);
    expect((await here.trail("main").load()).state).toMatchObject({ constraints: [RULE] });
  });

  it("is not believed because an untrusted import brought it once before", async () => {
    const { ids, file } = await claims();
    const there = await open("there");
    await bring(there.store, file);
    await bring(there.store, file, { as: "copy" });
    expect((await there.trail("copy").load()).state).toMatchObject({ constraints: [MARKED] });
    await there.trail("main").restore(ids[1] as ObjectId);
    expect((await there.trail("main").load()).state).toMatchObject({ constraints: [MARKED] });
    // Until somebody vouches for it.
    await bring(there.store, file, { as: "mine", trust: true });
    expect((await there.trail("mine").load()).state).toMatchObject({ constraints: [RULE] });
    await there.trail("mine").restore(ids[0] as ObjectId);
    expect((await there.trail("mine").load()).state).toMatchObject({ constraints: [RULE] });
  });
});

describe("a damaged or hostile file", () => {
  it("is refused wherever it was cut off, with the line, and changes nothing", async () => {
    await work(here, "main", 4);
    const file = await fileOf(here.store, "main");
    const there = await open("there");
    const lines = file.trimEnd().split("\n");
    for (let kept = 0; kept < lines.length; kept++) {
      const error = await refusal(
        bring(
          there.store,
          lines
            .slice(0, kept)
            .map((line) => `${line}\n`)
            .join(""),
        ),
      );
      expect(error).toMatchObject({ code: "corrupt", details: { line: kept + 1 } });
    }
    for (let end = 17; end < file.length - 2; end += 331) {
      expect(await refusal(bring(there.store, file.slice(0, end)))).toMatchObject({ code: "corrupt" });
    }
    expect(await overview(there.store)).toBe("[[],0]");
  });

  it("is refused for any changed byte, and changes nothing", async () => {
    await work(here, "main", 3);
    const bytes = Buffer.from(await fileOf(here.store, "main"));
    const there = await open("there");
    for (let at = 0; at < bytes.length - 1; at += at < 300 ? 1 : 97) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] as number) ^ 1;
      const error = await refusal(
        importTrail(
          there.store,
          async function* () {
            yield changed;
          },
          { source: "x", now: NOW },
        ),
      );
      expect(["corrupt", "usage", "refused"]).toContain(error.code);
    }
    expect(await overview(there.store)).toBe("[[],0]");
  });

  it("names the line of an object whose text was edited", async () => {
    await work(here, "main", 3);
    const lines = (await fileOf(here.store, "main")).split("\n");
    const at = lines.findIndex((line) => line.includes("line 3"));
    lines[at] = (lines[at] as string).replace("line 3", "line 4");
    const error = await refusal(bring((await open("there")).store, lines.join("\n")));
    expect(error.message).toBe(
      `Line ${at + 1} of "main.cairn" is damaged: its content does not match its name. Nothing was imported.`,
    );
  });

  it.each<[string, (lines: JsonObject[]) => JsonObject[], string]>([
    ["a missing object", (lines) => lines.toSpliced(1, 1), "which is not there"],
    [
      "lines in the wrong order",
      (lines) => [lines[0], lines[2], lines[1], ...lines.slice(3)] as JsonObject[],
      "which is not there",
    ],
    [
      "a line that stands twice",
      (lines) => lines.toSpliced(1, 0, lines[1] as JsonObject),
      "it stands twice in the file",
    ],
    [
      "a missing checkpoint",
      (lines) => lines.filter((line, index) => index === 0 || !isFirstCheckpoint(lines, line)),
      "is not in the file",
    ],
    [
      "a pin",
      (lines) => lines.map((line) => ("checkpoint" in line ? { ...line, records: { "pin/x": "" } } : line)),
      "it carries a pin",
    ],
    [
      "another head",
      (lines) => lines.with(0, { ...lines[0], head: "0".repeat(64) }),
      "the head of the trail is not in the file",
    ],
    [
      "a wrong count",
      (lines) => lines.with(0, { ...lines[0], checkpoints: 2 }),
      "it counts other lines than there are",
    ],
    ["something after the end", (lines) => [...lines, {}], "something follows the end line"],
    [
      "an unknown line",
      (lines) => lines.toSpliced(1, 0, { more: 1 }),
      "it is neither an object nor a checkpoint nor the end",
    ],
    [
      "a malformed trail name",
      (lines) => lines.with(0, { ...lines[0], trail: "../../core/trails/x" }),
      "is not a trail name",
    ],
  ])("is refused for %s, though its sum is right", async (_name, change, why) => {
    await work(here, "main", 3);
    const lines = (await fileOf(here.store, "main"))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as JsonObject);
    const there = await open("there");
    const error = await refusal(bring(there.store, sealed(change(lines))));
    expect(error.code).toBe("corrupt");
    expect(error.message).toContain(why);
    expect(await overview(there.store)).toBe("[[],0]");
  });

  it("is refused when a few objects stand for a state that no memory holds", async () => {
    let object = newValue("V", '"boom"', []);
    const objects = [object];
    for (let level = 0; level < 40; level++) {
      const { id } = object;
      object = newValue("V", "[0,0]", [
        { path: [0], target: id },
        { path: [1], target: id },
      ]);
      objects.push(object);
    }
    expect((await refusal(bring(here.store, hostile(objects)))).message).toContain("it stands for more than");
  });

  it("is refused when objects nest deeper than any reader goes", async () => {
    let object = newValue("V", "1", []);
    const objects = [object];
    for (let level = 0; level < 1200; level++) {
      object = newValue("V", "[0]", [{ path: [0], target: object.id }]);
      objects.push(object);
    }
    expect((await refusal(bring(here.store, hostile(objects)))).message).toContain(
      "it nests deeper than 256 levels",
    );
    let index = newValue("V", "[]", []);
    const indexes = [index];
    for (let level = 0; level < 1200; level++) {
      index = newIndex("A", [[0, index.id]]);
      indexes.push(index);
    }
    expect((await refusal(bring(here.store, hostile(indexes)))).message).toContain("through more than 1024");
    for (const depth of [257, 100_000]) {
      const deep = newValue("V", "[".repeat(depth) + "]".repeat(depth), []);
      expect((await refusal(bring(here.store, hostile([deep])))).message).toContain("it nests deeper than");
    }
  });

  it("is refused when a string in it is never closed", async () => {
    const unclosed = newValue("V", '{"a":["b', []);
    const error = await refusal(bring(here.store, hostile([unclosed])));
    expect(error.code).toBe("corrupt");
  });

  it.each([
    ["null", "An object has no entries where it should"],
    [
      '{"state":0,"created_at":"soon","trail":"main","trigger":"x","schema_version":1}',
      'its field "created_at" is not',
    ],
    [
      '{"state":0,"created_at":"2026-01-01T00:00:00Z","trail":"main","trigger":{},"schema_version":1}',
      'its field "trigger" is not',
    ],
    [
      '{"state":0,"created_at":"2026-01-01T00:00:00Z","trail":"a/../b","trigger":"x","schema_version":1}',
      "is not a trail name",
    ],
  ])("is refused when a checkpoint says %s", async (body, why) => {
    const state = newValue("V", "{}", []);
    const error = await refusal(bring(here.store, hostile([state], body)));
    expect(error.code).toBe("corrupt");
    expect(error.message).toContain(why);
  });

  const number = newValue("V", "4294967295", []);
  const map = newValue("V", '{"a":1}', []);
  const list = newValue("V", "[1,2]", []);
  const inside = (body: string, ...links: Parameters<typeof newValue>[2]) => newValue("V", body, links);
  it.each<[string, NewObject[], string]>([
    ["a number for a state", [number], "its state is not an object"],
    ["a list for a state", [list], "its state is not an object"],
    ["an index of lists for a state", [list, newIndex("A", [[2, list.id]])], "its state is not an object"],
    [
      "a map among lists",
      [map, inside('{"x":0}', { path: ["x"], target: { kind: "A", children: [[1, map.id]] } })],
      "it joins something else than a list",
    ],
    [
      "a number among texts",
      [number, inside('{"x":0}', { path: ["x"], target: { kind: "S", children: [[1, number.id]] } })],
      "it joins something else than a text",
    ],
    [
      "a wrong count",
      [list, inside('{"x":0}', { path: ["x"], target: { kind: "A", children: [[3, list.id]] } })],
      "it miscounts its parts",
    ],
    [
      "a key in two parts of a map",
      [
        map,
        newIndex("M", [
          [1, map.id],
          [1, map.id],
        ]),
      ],
      "it has a key twice",
    ],
    ["a key twice in one part", [newValue("V", '{"a":1,"a":2}', [])], "not written as this program writes"],
    ["a string that never ends", [newValue("V", '{"a', [])], "JSON"],
    [
      "a link to the length of a list",
      [number, inside('{"list":[1]}', { path: ["list", "length"], target: number.id })],
      "a link to a place that its body does not have",
    ],
    [
      "a link to what is not empty",
      [number, inside('{"x":1}', { path: ["x"], target: number.id })],
      "a link to a place that holds something else",
    ],
    [
      "two links to one place",
      [map, inside('{"x":0}', { path: ["x"], target: map.id }, { path: ["x"], target: map.id })],
      "link",
    ],
    [
      "a link into another",
      [
        map,
        number,
        inside('{"x":0}', { path: ["x"], target: map.id }, { path: ["x", "a"], target: number.id }),
      ],
      "link",
    ],
    [
      "a step that is no key",
      [number, inside('{"[object Object]":0}', { path: [{} as string], target: number.id })],
      "link",
    ],
    [
      "a checkpoint inside a state",
      [map, newValue("C", '{"state":0}', [{ path: ["state"], target: map.id }])],
      "it is a checkpoint",
    ],
  ])("is refused for %s", async (_name, objects, why) => {
    const there = await open("there");
    const error = await refusal(bring(there.store, hostile(objects)));
    expect(error.code).toBe("corrupt");
    expect(error.message).toContain(why);
    expect(await overview(there.store)).toBe("[[],0]");
  });

  it.each([
    { created_at: "Thu, 01 Jan 1970" },
    { created_at: "2026-01-01" },
    { trigger: "" },
    { agent_tier: 0.5 },
  ])("is refused when a checkpoint says %o", async (fields) => {
    const said = {
      state: 0,
      trail: "main",
      created_at: "2026-01-01T00:00:00Z",
      trigger: "x",
      schema_version: 1,
    };
    const body = JSON.stringify({ ...said, ...fields });
    const error = await refusal(bring(here.store, hostile([newValue("V", "{}", [])], body)));
    expect(error.message).toContain(`its field "${Object.keys(fields)[0]}" is not`);
  });

  it("is refused in words when it is something else, or newer", async () => {
    expect(await refusal(bring(here.store, "# README\n"))).toMatchObject({
      code: "usage",
      message: '"main.cairn" is not the export of a trail.',
    });
    expect(await refusal(bring(here.store, '{"checkpoint_id":"ckpt-1"}'))).toMatchObject({ code: "usage" });
    await work(here, "main", 1);
    const newer = (await fileOf(here.store, "main")).replace('"version":1', '"version":2');
    expect(await refusal(bring(here.store, newer))).toMatchObject({ code: "refused" });
  });
});

describe("an import that is killed", () => {
  it("shows nothing until all of it is there, wherever it was killed, and succeeds when it is repeated", async () => {
    const ids = await work(here, "main", 30);
    const path = join(folder, "main.cairn");
    writeFileSync(path, await fileOf(here.store, "main"));
    const target = join(folder, "there", "store.sqlite");
    for (const chunks of [5, 12, 24]) {
      const args = [
        "--input-type=module",
        "-e",
        KILLED_IMPORT,
        import.meta.dirname,
        path,
        target,
        String(chunks),
      ];
      const run = promisify(execFile)(process.execPath, args);
      await expect(run).rejects.toMatchObject({ signal: "SIGKILL" });
    }
    const there = await open("there");
    expect((await there.store.verify()).checkpoints).toBeGreaterThan(5);
    expect(await overview(there.store)).toBe("[[],0]");
    expect(await there.history()).toEqual([]);
    expect(await idsIn(there.store, "main")).toEqual([]);
    await bring(there.store, readFileSync(path, "utf8"));
    expect(await idsIn(there.store, "main")).toEqual(ids.toReversed());
    expect(await there.store.head("main")).toBe(ids.at(-1));
    expect(await there.history()).toHaveLength(30);
    expect((await there.store.verify()).damage).toEqual([]);
  });

  it("leaves nothing behind at whichever call it fails, also when it cannot clean up", async () => {
    const ids = await work(here, "main", 4);
    const file = await fileOf(here.store, "main");
    let calls = 0;
    for (; ; calls++) {
      const there = await open(`there-${calls}`);
      const attempt = await bring(failingAfter(there.store, calls), file).then(
        () => "taken",
        (error: Error) => error.message,
      );
      if (attempt === "taken") break;
      expect(attempt).toBe("cut off");
      expect(await overview(there.store)).toBe("[[],0]");
      const own = await work(there, "main", 1);
      expect(await idsIn(there.store, "main")).toEqual(own);
      await bring(there.store, file, { as: "theirs" });
      expect((await idsIn(there.store, "theirs")).slice(1)).toEqual(ids.toReversed());
    }
    expect(calls).toBeGreaterThan(5);
  });

  it("is forgotten by a prune after a day, and by the next import", async () => {
    await work(here, "main", 4);
    const file = await fileOf(here.store, "main");
    for (const clean of [
      async (store: Store, now: Date) => void (await prune(store, { all: true }, { last: 50 }, { now })),
      async (store: Store, now: Date) => void (await bring(store, file, { now, as: "later" })),
    ]) {
      const there = await open(`there-${opened.length}`);
      await refusal(bring(failingAfter(there.store, 3), file)).catch(() => undefined);
      const left = () => there.store.trails({ prefix: ".import/" });
      await clean(there.store, new Date(NOW.getTime() + 3_600_000));
      expect(await left()).toHaveLength(1);
      await there.store.remove({ trails: ["later"] });
      await clean(there.store, new Date(NOW.getTime() + 25 * 3_600_000));
      expect(await left()).toEqual([]);
      expect((await there.store.verify()).damage).toEqual([]);
    }
  });

  it("does not touch a trail of that name that somebody began meanwhile", async () => {
    await work(here, "main", 3);
    const file = await fileOf(here.store, "main");
    const there = await open("there");
    let own: ObjectId[] = [];
    const chunks = chunksOf(file);
    let readings = 0;
    const open2 = async function* () {
      if (++readings === 2) own = await work(there, "main", 2);
      yield* chunks();
    };
    const error = await refusal(importTrail(there.store, open2, { source: "main.cairn", now: NOW }));
    expect(error.code).toBe("conflict");
    expect(await idsIn(there.store, "main")).toEqual(own.toReversed());
    expect(await there.history()).toHaveLength(2);
  });
});

/** A store whose writes fail after so many, as if the power had gone: cleaning up fails too. */
function failingAfter(store: Store, calls: number): Store {
  let done = 0;
  const writes = new Set<PropertyKey>(["commit", "attach", "remove"]);
  return new Proxy(store, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== "function") return value;
      if (writes.has(key) && done++ >= calls) return () => Promise.reject(new Error("cut off"));
      return value.bind(target) as unknown;
    },
  });
}

/** Imports a file, and kills itself in the second reading, when it has read so many pieces. */
const KILLED_IMPORT = `
  import { createReadStream } from "node:fs";
  import { join } from "node:path";
  const [folder, path, target, chunks] = process.argv.slice(1);
  const { importTrail } = await import(join(folder, "import-trail.ts"));
  const { openSqliteStore } = await import(join(folder, "../../core/store/sqlite.ts"));
  let reading = 0;
  async function* open() {
    const isSecond = ++reading === 2;
    let count = 0;
    for await (const chunk of createReadStream(path, { highWaterMark: 8192 })) {
      if (isSecond && ++count > chunks) process.kill(process.pid, "SIGKILL");
      yield chunk;
    }
  }
  const store = await openSqliteStore({ path: target });
  await importTrail(store, open, { source: path, now: new Date() });
`;

const isFirstCheckpoint = (lines: readonly JsonObject[], line: JsonObject) =>
  lines.find((item) => "checkpoint" in item) === line;

/** Lines as a file whose end line fits, as a forger would write it. */
function sealed(lines: readonly JsonObject[]): string {
  const isEnd = (line: JsonObject) => "end" in line;
  const end = lines.findIndex(isEnd);
  const text = (list: readonly JsonObject[]) => list.map((line) => `${JSON.stringify(line)}\n`).join("");
  const before = text(lines.slice(0, end));
  const count = (key: string) => lines.filter((line) => key in line).length;
  const sum = createHash("sha256").update(before).digest("hex");
  const endLine = { end: { objects: count("object"), checkpoints: count("checkpoint"), sha256: sum } };
  return before + text([endLine, ...lines.slice(end + 1)]);
}

/** A file with these objects, the last of which is the state of its only checkpoint. */
function hostile(objects: readonly { id: ObjectId; bytes: Uint8Array }[], body?: string): string {
  const root = (objects.at(-1) as { id: ObjectId }).id;
  const plain = {
    state: 0,
    trail: "main",
    created_at: "2026-01-01T00:00:00Z",
    trigger: "manual",
    schema_version: 1,
  };
  const text = `C${JSON.stringify([[["state"], root]])}\n${body ?? JSON.stringify(plain)}`;
  const id = objectIdOf(Buffer.from(text));
  return sealed([
    { cairn: "trail", version: 1, trail: "main", head: id, checkpoints: 1 },
    ...objects.map((object) => ({ object: object.id, text: Buffer.from(object.bytes).toString() })),
    { checkpoint: id, text },
    { end: {} },
  ]);
}
