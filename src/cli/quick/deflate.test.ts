import { inflateRawSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deflate } from "./deflate.ts";

/** Text with repetitions near and far, which is what deflate is about. */
const text = fc
  .array(fc.oneof(fc.string(), fc.constantFrom("a", '{"id":"', "lorem ipsum ".repeat(30), "x".repeat(700))))
  .map((parts) => Buffer.from(parts.join("")));

describe("deflate", () => {
  it("writes what Node inflates, with and without a dictionary", () => {
    fc.assert(
      fc.property(text, text, fc.boolean(), (bytes, dictionary, isSimilar) => {
        const all = isSimilar ? Buffer.concat([dictionary, bytes, dictionary]) : bytes;
        const options = dictionary.length > 0 ? { dictionary } : {};
        expect(inflateRawSync(deflate(all, dictionary), options)).toEqual(all);
      }),
    );
  });

  it("writes every byte and every length", () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    for (let length = 0; length < 300; length++) {
      const all = Buffer.concat([bytes, Buffer.alloc(length, "="), bytes]);
      expect(inflateRawSync(deflate(all, new Uint8Array()))).toEqual(all);
    }
  });

  it("says of a list that moved on by one only what is new", () => {
    const lines = Array.from({ length: 30 }, (_, line) => `{"step":${line * 7919},"at":"2026-01-01"}`);
    const [before, after] = [lines.slice(0, -1).join(), lines.slice(1).join()].map((list) =>
      Buffer.from(list),
    ) as [Buffer, Buffer];
    expect(deflate(after, before).length).toBeLessThan(60);
  });
});
