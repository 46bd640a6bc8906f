import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  asList,
  asRecord,
  asText,
  describe as describeValue,
  describeCut,
  own,
  textOf,
} from "./untrusted.ts";

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
  });

  it("stops soon after its limit, however large the value", () => {
    const wide = Array.from({ length: 100_000 }, () => "y".repeat(100));
    expect(describeValue(wide, 200).length).toBeLessThan(500);
  });

  it("says where it stopped, so that a part is never taken for the whole", () => {
    expect(describeValue({ drop: ["users", "orders", "invoices"] }, 16)).toBe('{"drop":["users", …]}');
    expect(describeValue({ drop: "the whole database" }, 10)).toBe('{"drop":"the whole "…}');
    expect(describeValue({ drop_all_of_it: true }, 10)).toBe('{"drop_all_o"…:…}');
  });

  it("says how much is missing where it was cut", () => {
    const value = { list: Array.from({ length: 500 }, (_, index) => `entry ${index}`), n: [1, null, {}] };
    const whole = describeValue(value, Infinity);
    expect(describeCut(value)).toBe(`${whole.slice(0, 2000)}… [+${whole.length - 2000} chars]`);
    expect(describeCut(value, Infinity)).toBe(whole);
    const cycle: Record<string, unknown> = { text: "x".repeat(100) };
    cycle["self"] = [cycle, cycle];
    expect(describeCut(cycle, 50)).toMatch(/^.{50}… \[\+\d+ chars\]$/);
  });

  it("ends on a cycle", () => {
    const cycle: Record<string, unknown> = {};
    cycle["self"] = cycle;
    expect(describeValue(cycle)).toContain("…");
  });
});
