import { describe, expect, it } from "vitest";

import { isCheckpointError } from "../errors.ts";
import { openMemoryStore } from "../store/sqlite.ts";
import { Cairn } from "../../work/state/cairn.ts";
import { exportTrail } from "./transfer/export-trail.ts";
import { flatten } from "./transfer/flat-document.ts";
import { importTrail } from "../../work/import/import-trail.ts";
import { readImport } from "../../work/import/read-import.ts";

const NOW = new Date("2026-01-23T12:00:00Z");
const open = async () => new Cairn(await openMemoryStore(), () => NOW);

async function commitWith(notes: object) {
  const cairn = await open();
  await cairn.trail<object>("main", { initial: {} }).commit({ a: 1 }, notes);
  return cairn;
}

describe("what a checkpoint says", () => {
  it.each([
    ["notes", 5, "a text"],
    ["trigger", "", "a text that is not empty"],
    ["trigger", {}, "a text that is not empty"],
    ["session_id", ["a"], "a text"],
    ["agent_id", true, "a text"],
    ["agent_tier", 1.5, "a whole number"],
    ["agent_tier", "1", "a whole number"],
  ])("is refused when %s is %o, and nothing is saved", async (field, value, wanted) => {
    const cairn = await open();
    const trail = cairn.trail<object>("main", { initial: {} });
    const error: unknown = await trail
      .commit({ a: 1 }, { [field]: value })
      .catch((caught: unknown) => caught);
    expect(isCheckpointError(error, "usage")).toBe(true);
    expect((error as Error).message).toBe(`The field "${field}" of a checkpoint is not ${wanted}.`);
    expect(await cairn.trails()).toEqual([]);
  });

  it("is left out when it is null, and the export can be imported, whole and one by one", async () => {
    const nothing = { notes: null, trigger: null, session_id: null, agent_id: null, agent_tier: null };
    const cairn = await commitWith(nothing);
    const checkpoint = await cairn.trail("main").load();
    expect(checkpoint).toMatchObject({ ...nothing, trigger: "manual" });
    expect(checkpoint.content_hash).toBe((await (await commitWith({})).trail("main").load()).content_hash);

    const file: string[] = [];
    for await (const line of exportTrail(cairn.store, "main")) file.push(line);
    const bytes = async function* () {
      yield Buffer.from(file.join(""));
    };
    const there = await open();
    await importTrail(there.store, bytes, { source: "main.cairn", now: NOW });
    expect(await there.trail("main").load()).toEqual(checkpoint);
    const text = JSON.stringify(flatten(checkpoint));
    const options = { source: "main.json", now: NOW };
    expect(readImport(text, options).proven).toBe(true);
  });
});
