import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";

import { PARTS } from "../proof/parts/all.ts";
import { tableOf } from "../proof/support/page.ts";
import { changedInGit, whyStale } from "../proof/support/stale.ts";

describe("a row of the proof", () => {
  const rows = [{ fault: "a power cut", count: "500 cuts", outcome: "0 lost" }];
  const parts = [
    { name: "cuts", proves: ["src/core/store", "src/core/objects"] },
    { name: "page", proves: ["src/doors/page"] },
    { name: "later", proves: ["src"] },
  ];
  const results = { cuts: { commit: "a1", seed: 7, rows }, page: { commit: "b2", seed: 7, rows } };

  it("is stale once what it proves has changed, and says what", () => {
    const changed = () => ["src/core/store/sqlite/open.ts", "src/storehouse.ts", "src/objects-of-art/a.ts"];
    expect(tableOf(parts, results, changed)).toEqual([
      "| part | fault | how many | outcome | control | commit, seed |",
      "| --- | --- | --- | --- | --- | --- |",
      "| cuts | a power cut | 500 cuts | 0 lost |  | a1, 7; **stale**: src/core/store changed since |",
      "| page | a power cut | 500 cuts | 0 lost |  | b2, 7 |",
      "",
      "Not run here yet: later.",
    ]);
  });

  it("names a few of many changes, and counts the others", () => {
    const all = ["a", "b", "c", "d", "e"];
    expect(whyStale("a1", all, () => all)).toBe("a, b, c and 2 more changed since");
    expect(whyStale("a1", all, () => ["c/x.ts", "f"])).toBe("c changed since");
  });

  it("is asked for with its own commit and paths", () => {
    const asked: unknown[] = [];
    tableOf(parts, results, (...question) => (asked.push(question), []));
    expect(asked).toEqual([
      ["a1", ["src/core/store", "src/core/objects"]],
      ["b2", ["src/doors/page"]],
    ]);
  });

  it("is stale if it was run for sources that are not in this history", () => {
    expect(whyStale("a1+", ["src"], () => [])).toBe("it was run for sources that were never committed");
    expect(whyStale("a1", ["src"], () => undefined)).toBe("commit a1 is not in this history");
    expect(changedInGit("0".repeat(40), ["src"])).toBeUndefined();
  });
});

it.each(PARTS)("the part $name proves what is there", ({ proves }) => {
  expect(proves.filter((path) => !existsSync(path))).toEqual([]);
  expect(proves.length).toBeGreaterThan(0);
});
