import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseTrailName } from "../../core/trails/names.ts";
import { sessionTrail } from "./session.ts";

describe("sessionTrail", () => {
  it("keeps the ids that clients really use", () => {
    const id = "0b6a9f0e-6f6d-4a5c-9d0e-0123456789ab";
    expect(sessionTrail(id)).toBe(`session/${id}`);
  });

  it("makes a valid name of any id, and never the same of two", () => {
    const ids = fc
      .string({ minLength: 1, maxLength: 20, unit: "grapheme" })
      .filter((id) => id === id.normalize("NFC"));
    fc.assert(
      fc.property(ids, ids, (a, b) => {
        const [one, two] = [a, b].map((id) => sessionTrail(id));
        expect(parseTrailName(one!)).toBe(one);
        expect(one === two).toBe(a === b);
      }),
    );
  });
});

describe("ids that look like each other's names", () => {
  it.each([
    ["/a", "\u02fa"],
    ["/", "_/"],
    ["~2f~", "/"],
    ["con", "_con"],
  ])("%j and %j have trails of their own", (one, other) => {
    expect(sessionTrail(one)).not.toBe(sessionTrail(other));
  });
});
