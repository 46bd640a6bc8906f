import * as native from "node:zlib";
import { describe, expect, it } from "vitest";
import * as light from "./zlib.ts";

describe("the light zlib", () => {
  it("names the level as Node does", () => {
    expect(light.constants.ZSTD_c_compressionLevel).toBe(native.constants.ZSTD_c_compressionLevel);
  });

  it.each([10, 1000, 1024, 5000, 50_000])(
    "inflates %d bytes that Node deflated, and the other way",
    (size) => {
      const bytes = Buffer.from(Array.from({ length: size }, (_, at) => (at * at) % 251));
      const dictionary = bytes.subarray(0, 100);
      const deflated = native.deflateRawSync(bytes, { dictionary });
      expect(Buffer.from(light.inflateRawSync(deflated, { dictionary }))).toEqual(bytes);
      expect(native.inflateRawSync(light.deflateRawSync(bytes, { dictionary }), { dictionary })).toEqual(
        bytes,
      );
    },
  );

  it("gives short bytes back as they are, and compresses longer ones like Node", () => {
    const [short, long] = [Buffer.alloc(16 * 1024 - 1, "a"), Buffer.alloc(16 * 1024, "a")];
    expect(light.zstdCompressSync(short)).toBe(short);
    expect(light.deflateRawSync(short)).toBe(short);
    expect(native.zstdDecompressSync(light.zstdCompressSync(long))).toEqual(long);
    expect(light.zstdDecompressSync(native.zstdCompressSync(long))).toEqual(long);
    expect(native.inflateRawSync(light.deflateRawSync(long))).toEqual(long);
  });
});
