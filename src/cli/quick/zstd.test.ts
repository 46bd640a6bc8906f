import { constants, zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { unzstd } from "./zstd.ts";

/** Words as in states: some again and again, some never again. */
const text = fc
  .array(
    fc.oneof(
      fc.string(),
      fc.uuid(),
      fc.constantFrom(
        '{"id":"',
        '","status":"pending","blocked_by":[]},',
        "lorem ipsum dolor ",
        "x".repeat(300),
      ),
    ),
    { maxLength: 400, size: "max" },
  )
  .map((parts) => Buffer.from(parts.join("")));

function compressed(bytes: Buffer, level: number): Buffer {
  return zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: level } });
}

function lengthOrError(data: Uint8Array): unknown {
  try {
    return unzstd(data).length;
  } catch (error) {
    return error;
  }
}

describe("unzstd", () => {
  it("gives back what Node compressed, at every level", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 22 }), (bytes, level) => {
        expect(Buffer.from(unzstd(compressed(bytes, level)))).toEqual(bytes);
      }),
    );
  });

  it.each([0, 1, 255, 256, 257, 5000, 65_536])(
    "gives back %d equal bytes, and as many that differ",
    (size) => {
      const equal = Buffer.alloc(size, "a");
      const different = Buffer.from(Array.from({ length: size }, (_, at) => (at * at * 31) % 251));
      for (const bytes of [equal, different])
        expect(Buffer.from(unzstd(compressed(bytes, 6)))).toEqual(bytes);
    },
  );

  it("throws, or gives other bytes, for whatever is damaged", () => {
    const whole = compressed(Buffer.from(JSON.stringify(Array.from({ length: 90 }, (_, id) => ({ id })))), 6);
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), fc.nat(whole.length), (at, value, end) => {
        const damaged = Buffer.from(whole)
          .fill(value, at, at + 1)
          .subarray(0, end);
        expect(lengthOrError(damaged)).toSatisfy(
          (found) => found instanceof RangeError || Number(found) <= 64 * 1024,
        );
      }),
      { numRuns: 2000 },
    );
  });

  it("leaves what is long, or comes with a checksum, to others", () => {
    expect(() => unzstd(compressed(Buffer.alloc(65_537), 6))).toThrow(RangeError);
    const params = { [constants.ZSTD_c_checksumFlag]: 1 };
    expect(() => unzstd(zstdCompressSync(Buffer.from("text"), { params }))).toThrow(RangeError);
  });
});
