import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { runInNewContext } from "node:vm";
import { zstdDecompressSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { Cairn } from "../src/work/state/cairn.ts";
import { RESERVED_FIELDS } from "../src/core/trails/transfer/flat-document.ts";
import { exportTrail } from "../src/core/trails/transfer/export-trail.ts";
import { encode } from "../src/core/objects/encode.ts";
import type { JsonObject } from "../src/core/objects/json.ts";
import * as limits from "../src/core/objects/limits.ts";
import { openMemoryStore, openSqliteStore } from "../src/core/store/sqlite.ts";
import { makePatch } from "../src/core/store/patch.ts";
import { loadFromExport, patched } from "./second-reader/reader.ts";
import { boundaryHash, rootOf } from "./second-reader/writer.ts";

const document = readFileSync(join(import.meta.dirname, "../docs/reference/format.md"), "utf8");

/** The fenced blocks with this word after the fence, and what follows the word. */
function blocks(word: string): { argument: string; text: string }[] {
  const fence = new RegExp(`^\`\`\`${word}(?: (.*))?\\n([\\s\\S]*?)\\n\`\`\`$`, "gm");
  return [...document.matchAll(fence)].map(([, argument = "", text = ""]) => ({ argument, text }));
}

const sha256 = (text: string | Uint8Array) => createHash("sha256").update(text).digest("hex");

describe("docs/reference/format.md", () => {
  it("gives the objects of its examples their real hashes", () => {
    const objects = blocks("object");
    expect(objects.length).toBeGreaterThan(7);
    for (const { argument, text } of objects) expect(sha256(text)).toBe(argument);
  });

  it("shows the export that the library writes, and every object in it", async () => {
    let step = 0;
    const cairn = new Cairn(
      await openMemoryStore(),
      () => new Date(Date.parse("2026-01-23T12:00:00Z") + 5000 * step++),
    );
    const trail = cairn.trail<JsonObject>("main", { initial: {} });
    await trail.commit({ goal: "ship", tasks: [] }, { notes: "start" });
    await trail.commit(
      { goal: "ship", tasks: [], next_action: "test" },
      { trigger: "task", agent_id: "my-agent", agent_tier: 1 },
    );
    let written = "";
    for await (const line of exportTrail(cairn.store, "main")) written += line;
    expect(blocks("export").map(({ text }) => `${text}\n`)).toEqual([written]);
    expect(loadFromExport(written).state).toEqual({ goal: "ship", tasks: [], next_action: "test" });
  });

  it("shows a row that is compressed with its base as dictionary", () => {
    const [{ argument: ids, text: hex }] = blocks("row") as [{ argument: string; text: string }];
    const [base, id] = ids.split(" ");
    const dictionary = Buffer.from(
      blocks("object").find(({ argument }) => argument === base)?.text as string,
    );
    expect(sha256(zstdDecompressSync(Buffer.from(hex, "hex"), { dictionary }))).toBe(id);
  });

  it("shows a row that is a patch of its base", () => {
    const hex = blocks("patch")[0]?.text ?? "";
    const [base, object] = ["open", "done"].map((word) => Buffer.from(`V\n{"status":"${word}"}`));
    const patch = Buffer.from(hex.replaceAll(" ", ""), "hex");
    expect(patch[0]).toBe(1);
    expect(Buffer.from(patched(base as Buffer, patch.subarray(1)))).toEqual(object);
    expect(makePatch(base as Buffer, object as Buffer)).toEqual(patch.subarray(1));
  });

  it("shows the tables of a new store", async () => {
    const folder = mkdtempSync(join(tmpdir(), "cairn-format-"));
    const path = join(folder, "store.sqlite");
    await (await openSqliteStore({ path })).close();
    const db = new DatabaseSync(path, { readOnly: true });
    const rows = db.prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL").all();
    const version = db.prepare("PRAGMA user_version").get()?.user_version;
    const pageSize = db.prepare("PRAGMA page_size").get()?.page_size;
    const counters = { ...db.prepare("SELECT * FROM counters").get() };
    db.close();
    rmSync(folder, { recursive: true });
    const plain = (sql: string) => sql.replaceAll(/\s+/g, " ").trim();
    const shown = blocks("sql").flatMap(({ text }) => text.split(";").map(plain).filter(Boolean));
    expect(shown.toSorted()).toEqual(rows.map(({ sql }) => plain(String(sql))).toSorted());
    expect(document).toContain(`This is format version ${String(version)}.`);
    expect(document.replaceAll("\n", " ")).toContain(`pages of ${String(pageSize)} bytes`);
    expect(counters).toEqual({ sweeps: 0, last_row: 0, last_sequence: 0 });
  });

  it("names the sizes that the library cuts by", () => {
    const shown = [...document.matchAll(/^\| `([A-Z_]+)` \| ([\d, ]+) \|/gm)].map(([, name, numbers]) => [
      name,
      numbers,
    ]);
    const known = limits as unknown as Record<string, number | limits.CutSizes>;
    expect(shown).toHaveLength(6);
    for (const [name, numbers] of shown) {
      const value = known[name as string] as number | limits.CutSizes;
      expect(numbers).toBe(
        typeof value === "number" ? String(value) : `${value.min}, ${value.target}, ${value.max}`,
      );
    }
  });

  it("names the fields that a flat document has beside its state", () => {
    for (const field of RESERVED_FIELDS) expect(document).toContain(`\`${field}\``);
  });

  it("says what a second writer needs to get the same roots", () => {
    const hashes = [...document.matchAll(/^\| (?:`(.+)`|\(empty\)|200 times `x`) \| (\d{9,}) \|$/gm)];
    const texts = ["", "a", "task-1", "x".repeat(200)];
    expect(hashes.map(([, , number]) => Number(number))).toEqual(texts.map(boundaryHash));
    const rows = [...document.matchAll(/^\| `(\{ .+ \})` \| `([0-9a-f]{64})` \|$/gm)];
    expect(rows).toHaveLength(3);
    for (const [, expression, root] of rows) {
      const state = JSON.parse(
        runInNewContext(`JSON.stringify(${String(expression)})`) as string,
      ) as JsonObject;
      expect(rootOf(state)).toBe(root);
      expect(encode(state).memory.root).toBe(root);
    }
  });

  it("describes cutting so that a second writer agrees on any state", () => {
    const text = fc.string({ maxLength: 3000, size: "max" });
    const message = fc.record({ id: fc.oneof(fc.nat(), fc.string(), fc.constant(null)), text });
    const state = fc.record({
      messages: fc.array(message, { maxLength: 200, size: "max" }),
      nested: fc.array(fc.record({ inner: fc.array(text, { maxLength: 6 }) }), { maxLength: 20 }),
      map: fc.dictionary(fc.string(), fc.oneof(text, fc.jsonValue()), { maxKeys: 120, size: "max" }),
      long: fc.tuple(text, fc.nat(400)).map(([line, times]) => `${line}\n`.repeat(times)),
    });
    const report = fc.check(
      fc.property(fc.oneof(state, fc.dictionary(fc.string(), fc.jsonValue())), (value) => {
        const json = JSON.parse(JSON.stringify(value)) as JsonObject;
        expect(rootOf(json)).toBe(encode(json).memory.root);
      }),
      // Not shrunk, and told by its seed: states as large as these take hours to shrink and pages to print.
      { numRuns: 25, endOnFailure: true, interruptAfterTimeLimit: 45_000, markInterruptAsFailure: true },
    );
    const { failed, interrupted, numRuns, seed } = report;
    expect({ failed, interrupted, numRuns, seed }).toEqual({
      failed: false,
      interrupted: false,
      numRuns: 25,
      seed,
    });
  });
});
