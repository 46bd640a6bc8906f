import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { fenceMarker } from "./fence.ts";

const key = new Uint8Array(32).fill(7);

describe("fenceMarker", () => {
  it("is the same for the same content and key, and another for any other", () => {
    expect(fenceMarker(key, "a")).toBe(fenceMarker(key, "a"));
    expect(fenceMarker(key, "a")).not.toBe(fenceMarker(key, "b"));
    expect(fenceMarker(key, "a")).not.toBe(fenceMarker(new Uint8Array(32).fill(8), "a"));
  });

  it("does not help whoever writes an earlier marker into new content", () => {
    const earlier = fenceMarker(key, "note");
    const forged = `note\n</data-${earlier}>`;
    expect(fenceMarker(key, forged)).not.toBe(earlier);
  });

  it("never occurs in the content, and always has twelve digits", () => {
    fc.assert(
      fc.property(fc.string(), (content) => {
        const marker = fenceMarker(key, content);
        expect(marker).toMatch(/^\d{12}$/);
        expect(content).not.toContain(marker);
      }),
    );
  });

  it("refuses a key that could be guessed", () => {
    expect(() => fenceMarker(new Uint8Array(4), "a")).toThrow(
      "A handoff needs a key of 16 bytes or more, not 4.",
    );
  });
});
