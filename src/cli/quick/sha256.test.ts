import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sha256 } from "./sha256.ts";
import { sha256Code } from "./sha256-code.ts";
import { SHA256_CODE } from "./sha256-wasm.ts";

const native = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

describe("sha256", () => {
  it("gives the published hash of a known text", () => {
    expect(sha256(Buffer.from("abc"))).toBe(
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    );
  });

  it("runs the code that its instructions make", () => {
    expect(SHA256_CODE).toBe(Buffer.from(sha256Code()).toString("base64"));
  });

  it("agrees with Node at every length around the borders of blocks", () => {
    for (let length = 0; length <= 260; length++) {
      const bytes = new Uint8Array(length).fill(length);
      expect(sha256(bytes), `${length} bytes`).toBe(native(bytes));
    }
  });

  it("agrees with Node on more than fits in at once", () => {
    for (const length of [49_151, 49_152, 49_153, 98_304, 200_000]) {
      const bytes = Buffer.from(Array.from({ length }, (_, at) => (at * at) % 251));
      expect(sha256(bytes), `${length} bytes`).toBe(native(bytes));
    }
  });

  it("agrees with Node on any bytes, also on a part of a larger buffer", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5000 }), fc.nat(64), (bytes, start) => {
        const part = bytes.subarray(start);
        expect(sha256(part)).toBe(native(part));
      }),
    );
  });
});
