import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { countFeatures } from "./count-features.ts";
import { FEATURES } from "./features.ts";

/** The features that a text has, by name. */
function named(text: string): Record<string, number> {
  const counts = countFeatures(text);
  return Object.fromEntries(FEATURES.flatMap((name, at) => (counts[at] === 0 ? [] : [[name, counts[at]!]])));
}

describe("countFeatures", () => {
  it("tells words, humps, numbers and marks apart", () => {
    expect(named("run parseHttpURL 3 times()")).toEqual({
      line: 1,
      word: 3,
      innerHump: 2,
      capitalized: 1,
      lettersOver4: 1,
      capsLetter: 3,
      digitRun: 1,
      digit: 1,
      spacedDigit: 1,
      markRun: 1,
      markChange: 1,
    });
  });

  it("pays for digests and random keys by the character", () => {
    expect(named("9f86d081884c7d65")).toEqual({ line: 1, hexChar: 16, noiseRun: 1 });
    expect(named("q8ZfT2mX0aB9kL")).toEqual({ line: 1, mixedChar: 14, noiseTurn: 4, noiseRun: 1 });
  });

  it("takes a long run of blanks for several pieces, as tokenizers do", () => {
    expect(named("is  it")).toEqual({ line: 1, word: 2, spaceRun: 1 });
    expect(named(`is${" ".repeat(100)}it`)).toEqual({ line: 1, word: 2, spaceRun: 10 });
    expect(named(`${" ".repeat(100)}it`)).toEqual({ line: 1, word: 1, indent: 1, spaceRun: 9 });
  });

  it("knows scripts", () => {
    expect(named("检 é яд🚀，")).toEqual({
      line: 1,
      han: 1,
      accented: 1,
      cyrillic: 2,
      loneSign: 2,
      astral: 1,
      widePunctuation: 1,
    });
  });

  it("tells text without words from all other", () => {
    expect(named("the quick brown fox jumps over it")).not.toHaveProperty("garbledLetter");
    expect(named("xqzvk wpfgj")).toMatchObject({ garbledLetter: 10 });
    expect(named("XQZVKWPFGJ")).toMatchObject({ garbledCaps: 10 });
    expect(named("a b c I")).toMatchObject({ loneLetter: 2 });
    expect(named("a1 b22c")).toMatchObject({ mixedWord: 3 });
    expect(named("12345678901")).toMatchObject({ digitsOver6: 5 });
    expect(named("#&%!+?")).toMatchObject({ marksOver4: 2 });
    expect(named("we ~ go - on")).toMatchObject({ oddMark: 1 });
    expect(named("привет мир")).not.toHaveProperty("unfamiliarByte");
    expect(named("щъэьжыф")["unfamiliarByte"]).toBeGreaterThan(6);
    expect(named("\u{1200}\u{a000}\u{12000}")["unfamiliarByte"]).toBeGreaterThan(5);
  });

  it("gives a text the sum of what its lines have, so that items can be measured one by one", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme" })), fc.string(), (lines, last) => {
        const all = [...lines, last];
        const sum = FEATURES.map((_, at) =>
          all.reduce(
            (total, line) =>
              total + line.split("\n").reduce((inner, each) => inner + countFeatures(each)[at]!, 0),
            0,
          ),
        );
        expect(Array.from(countFeatures(all.join("\n")))).toEqual(sum);
      }),
    );
  });
});
