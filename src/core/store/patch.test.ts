import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { applyPatch, makePatch } from "./patch.ts";

const bytes = (text: string) => Buffer.from(text);

/** What is made of the base, or the object itself where no patch is made. */
function roundTrip(base: Buffer, object: Buffer): Buffer {
  const patch = makePatch(base, object);
  return Buffer.from((patch ? applyPatch(base, patch) : object) as Uint8Array);
}

describe("a patch", () => {
  it("gives every object back that it was made for", () => {
    const word = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("", "00ff", "0f0", "A0", "é"));
    const pair = fc.tuple(word, fc.option(word));
    fc.assert(
      fc.property(fc.array(pair, { minLength: 1, maxLength: 200 }), fc.array(word), (words, more) => {
        const base = bytes(words.map(([old]) => old).join('"'));
        const object = bytes([...words.map(([old, now]) => now ?? old), ...more].join('"'));
        expect(roundTrip(base, object).equals(object)).toBe(true);
        expect(roundTrip(object, base).equals(base)).toBe(true);
      }),
    );
  });

  it("gives any bytes back, whatever it was made of", () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array(), (base, object) => {
        expect(roundTrip(Buffer.from(base), Buffer.from(object)).equals(object)).toBe(true);
      }),
    );
  });

  it("holds only what differs, hashes in half as many bytes as digits", () => {
    const state = (hash: string, step: number) =>
      bytes(`V[[["messages"],"${hash.repeat(64)}"]]\n{"step":${step},"goal":"ship it"}`);
    const patch = makePatch(state("a", 7), state("b", 8)) as Uint8Array;
    expect(patch.length).toBeLessThan(32 + 14);
    expect(applyPatch(state("a", 7), patch)).toEqual(state("b", 8));
  });

  it("of a list that got longer holds what was added, however much that is", () => {
    const list = (length: number) =>
      bytes(`V\n${JSON.stringify(Array.from({ length }, (_, id) => ({ id, text: "x".repeat(500) })))}`);
    const patch = makePatch(list(20), list(23)) as Uint8Array;
    expect(patch.length).toBeLessThan(list(23).length - list(20).length + 10);
    expect(applyPatch(list(20), patch)).toEqual(list(23));
  });

  it.each([
    ["keeps more than there is", [9, 0, 2, 65]],
    ["skips far beyond the end", [1, 128, 225, 235, 23, 2, 65]],
    ["ends in the middle of what it puts in", [1, 1, 200, 1, 65]],
    ["ends in the middle of a number", [128, 128, 128]],
  ])("that %s is damaged", (_how, patch) => {
    expect(applyPatch(bytes('{"a":1}'), Uint8Array.from(patch))).toBeUndefined();
  });

  it("is not made where much has changed in the middle", () => {
    const list = (word: string) => bytes(JSON.stringify([...Array.from({ length: 60 }, () => word), "end"]));
    expect(makePatch(list("before"), list("after"))).toBeUndefined();
    expect(
      makePatch(bytes(`["${"y".repeat(300)}","end"]`), bytes(`["${"x".repeat(300)}","end"]`)),
    ).toBeUndefined();
  });
});
