import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inflate } from "./inflate.ts";

const NONE = new Uint8Array();
const MANY = 2 ** 30;

const LIMIT = 10_000;

function lengthOrError(data: Uint8Array): unknown {
  try {
    return inflate(data, NONE, LIMIT).length;
  } catch (error) {
    return error;
  }
}

/** Text with repetitions near and far, which is what deflate is about. */
const text = fc
  .array(fc.oneof(fc.string(), fc.constantFrom("a", '{"id":"', "lorem ipsum ".repeat(30), "x".repeat(700))))
  .map((parts) => Buffer.from(parts.join("")));

describe("inflate", () => {
  it("gives back what Node deflated, at every level", () => {
    fc.assert(
      fc.property(text, fc.nat(9), (bytes, level) => {
        expect(Buffer.from(inflate(deflateRawSync(bytes, { level }), NONE, MANY))).toEqual(bytes);
      }),
    );
  });

  it("gives back what Node deflated with a dictionary", () => {
    fc.assert(
      fc.property(text, text, fc.boolean(), (bytes, dictionary, isSimilar) => {
        const all = isSimilar ? Buffer.concat([dictionary, bytes, dictionary]) : bytes;
        const options = dictionary.length > 0 ? { dictionary } : {};
        expect(Buffer.from(inflate(deflateRawSync(all, options), dictionary, MANY))).toEqual(all);
      }),
    );
  });

  it("gives back random bytes, which deflate stores as they are", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3000 }), (bytes) => {
        expect(Buffer.from(inflate(deflateRawSync(bytes), NONE, MANY))).toEqual(Buffer.from(bytes));
      }),
    );
  });

  it("throws, or gives other bytes, when the data is damaged; it never hangs or reads elsewhere", () => {
    const deflated = deflateRawSync(
      Buffer.from("one two three one two three ".repeat(20) + "0123456789abcdef"),
    );
    fc.assert(
      fc.property(fc.nat(deflated.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const bytes = Uint8Array.from(deflated);
        bytes[at]! ^= flip;
        expect(lengthOrError(bytes)).toSatisfy(
          (found) => found instanceof RangeError || (typeof found === "number" && found <= LIMIT),
        );
      }),
    );
    for (let length = 0; length < deflated.length; length++) {
      expect(() => inflate(deflated.subarray(0, length), NONE, MANY)).toThrow(RangeError);
    }
  });

  it("stops at its limit", () => {
    const deflated = deflateRawSync(Buffer.alloc(100_000, "a"));
    expect(inflate(deflated, NONE, 100_000)).toHaveLength(100_000);
    expect(() => inflate(deflated, NONE, 99_999)).toThrow("More was deflated");
  });
});
