import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { applyContinuation, applyPatch, makeContinuation, makePatch } from "./patch.ts";

const bytes = (text: string) => Buffer.from(text);

describe("a patch", () => {
  it("gives every object back that it was made for", () => {
    const word = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("", "00ff", "0f0", "A0", "é"));
    const pair = fc.tuple(word, fc.option(word));
    fc.assert(
      fc.property(fc.array(pair, { minLength: 1, maxLength: 200 }), (words) => {
        const base = bytes(words.map(([old]) => old).join('"'));
        const object = bytes(words.map(([old, now]) => now ?? old).join('"'));
        const patch = makePatch(base, object);
        const found = patch ? applyPatch(base, patch) : object;
        expect(Buffer.from(found as Uint8Array).equals(object)).toBe(true);
      }),
    );
  });

  it("holds only what differs, hashes in half as many bytes as digits", () => {
    const state = (hash: string, step: number) =>
      bytes(`V[[["messages"],"${hash.repeat(64)}"]]\n{"step":${step},"goal":"ship it"}`);
    const patch = makePatch(state("a", 7), state("b", 8)) as Uint8Array;
    expect(patch.length).toBeLessThan(32 + 12);
    expect(applyPatch(state("a", 7), patch)).toEqual(state("b", 8));
  });

  it.each([
    ["replaces a word that is not there", [1, 9, 2, 65]],
    ["replaces a word far beyond the end", [1, 128, 225, 235, 23, 2, 65]],
    ["ends in the middle of a word", [1, 1, 200, 1, 65]],
    ["ends in the middle of a number", [1, 128, 128, 128]],
  ])("that %s is damaged", (_how, patch) => {
    expect(applyPatch(bytes('{"a":1}'), Uint8Array.from(patch))).toBeUndefined();
  });

  it("is not made where the words do not match one by one, or much has changed", () => {
    expect(makePatch(bytes('{"a":1}'), bytes('{"a":1,"b":2}'))).toBeUndefined();
    expect(makePatch(bytes('"a"'), bytes(`"${"x".repeat(300)}"`))).toBeUndefined();
    expect(makePatch(bytes(`"${"y".repeat(300)}"`), bytes(`"${"x".repeat(300)}"`))).toBeUndefined();
  });
});

const MAX_BYTES = 1000;

describe("a continuation", () => {
  it("gives back every list that got longer", () => {
    const lists = fc.tuple(
      fc.array(fc.jsonValue(), { minLength: 1 }),
      fc.array(fc.jsonValue(), { minLength: 1 }),
    );
    fc.assert(
      fc.property(lists, ([list, more]) => {
        const base = bytes(`V\n${JSON.stringify(list)}`);
        const object = bytes(`V\n${JSON.stringify([...list, ...more])}`);
        const row = makeContinuation(base, object) as Uint8Array;
        expect(Buffer.from(applyContinuation(base, row, 1_000_000)).equals(object)).toBe(true);
      }),
    );
  });

  it.each([
    ["what changed before its end", 'V\n["a","b"]', 'V\n["A","b","c"]'],
    ["what got shorter", 'V\n["a","b"]', 'V\n["a"]'],
    ["nothing", "", "V\n[]"],
  ])("is not made of %s", (_what, base, object) => {
    expect(makeContinuation(bytes(base), bytes(object))).toBeUndefined();
  });

  it("that is damaged, or would fill the memory, is refused", () => {
    const base = bytes('V\n["a"]');
    const long = makeContinuation(base, bytes(`V\n["a","${"x".repeat(2000)}"]`)) as Uint8Array;
    expect(() => applyContinuation(base, long, MAX_BYTES)).toThrow(/larger than/);
    expect(() => applyContinuation(base, Uint8Array.of(2, 255, 255), MAX_BYTES)).toThrow(/invalid/);
  });
});
