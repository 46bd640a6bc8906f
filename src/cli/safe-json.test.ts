import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { safeJson } from "./safe-json.ts";

describe("safeJson", () => {
  it("is the same value to every parser", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(safeJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it("lets nothing through that a terminal obeys or hides", () => {
    const hostile = "\u{1b}[31m\u{9b}2J\u{202e}\u{200b}\u{2028}\u{e0041}\u{7f}";
    expect(safeJson(hostile)).toBe(String.raw`"\u001b[31m\u009b2J\u202e\u200b\u2028\udb40\udc41\u007f"`);
  });
});
