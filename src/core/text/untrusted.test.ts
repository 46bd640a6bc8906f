import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { asList, asRecord, asText, describe as describeValue, own, textOf } from "./untrusted.ts";

describe("readers of untrusted values", () => {
  it("take a single thing for a list of one, and nothing for an empty list", () => {
    expect([asList("x"), asList(null), asList(undefined), asList([1, 2])]).toEqual([["x"], [], [], [1, 2]]);
  });

  it("take blank text for none", () => {
    expect([asText("  "), asText(" a "), asText(0), asText(false), asText({})]).toEqual([
      undefined,
      "a",
      "0",
      "false",
      undefined,
    ]);
  });

  it("never read what an object has inherited", () => {
    expect([own({}, "constructor"), textOf({}, "toString"), asRecord([])]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("never throw", () => {
    const reads = [asList, asRecord, asText, describeValue, (value: unknown) => textOf(value, "a", "text")];
    fc.assert(
      fc.property(fc.anything(), fc.constantFrom(...reads), (value, read) => {
        expect(() => read(value)).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });
});

describe("describing a value", () => {
  it("prints JSON with blanks after commas", () => {
    expect(describeValue({ a: [1, null, "x"], "b c": {} })).toBe('{"a":[1, null, "x"], "b c":{}}');
    expect(describeValue(["a,b", '",', "\\", 1])).toBe(String.raw`["a,b", "\",", "\\", 1]`);
  });

  it("stops soon after its limit, however large the value", () => {
    const wide = Array.from({ length: 100_000 }, () => "y".repeat(100));
    expect(describeValue(wide, 200).length).toBeLessThan(500);
  });

  it("says how much is missing, so that a part is never taken for the whole", () => {
    expect(describeValue({ drop: ["users", "orders", "invoices"] }, 16)).toBe(
      '{"drop":["users"… [+22 chars]',
    );
    expect(describeValue({ drop: "the whole database" }, 10)).toBe('{"drop":"t… [+19 chars]');
  });

  it("ends on a cycle", () => {
    const cycle: Record<string, unknown> = {};
    cycle["self"] = cycle;
    expect(describeValue(cycle)).toBe("…");
  });
});
