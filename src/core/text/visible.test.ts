import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { clip, oneLine, PLAIN, visible, visibleJson } from "./visible.ts";

const RAW = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const anyText = fc.string({ unit: "binary" });

describe("visible", () => {
  it("writes out escape sequences, overrides and what cannot be seen", () => {
    expect(visible("\u001b[2J a\u202eb\u200bc\ud800d")).toBe("\\x1b[2J a\\u202eb\\u200bc\\ud800d");
  });

  it("shows ASCII that was smuggled in tag characters", () => {
    expect(visible("hi\u{e0072}\u{e006d}")).toBe("hi\\u{e0072}\\u{e006d}");
  });

  it("keeps what people write: accents, Chinese, joined emoji", () => {
    const text = "naïve 检查点 👩‍🚀 ❤️ ✅";
    expect(visible(text)).toBe(text);
  });

  it("takes every kind of line end for one", () => {
    expect(visible("a\r\nb\u2028c\u0085d\re\vf")).toBe("a\nb\nc\nd\ne\nf");
    expect(oneLine("a\r\n  b\u2028c")).toBe("a ⏎ b ⏎ c");
  });

  it("puts text in one line without blank lines, in a time that grows with the text alone", () => {
    expect(oneLine("a \n\n  b\n")).toBe("a ⏎ b");
    expect(oneLine(`a${" ".repeat(300_000)}b\nc`)).toHaveLength(300_006);
  });

  it("leaves nothing raw, whatever comes in", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const seen = visible(text)
          .replaceAll("\n", "")
          .replaceAll(/[\p{Extended_Pictographic}\p{Emoji_Modifier}]\u{fe0f}?(?:\u{200d}|\u{fe0f})/gu, "");
        expect(seen).not.toMatch(RAW);
      }),
    );
  });
});

describe("text that is taken for plain", () => {
  it("has no character that would have to be written out", () => {
    const plain = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter((each) =>
      PLAIN.test(each),
    );
    expect(plain.length).toBeGreaterThan(30_000);
    expect(plain.filter((each) => each !== "\n" && RAW.test(each))).toEqual([]);
  });
});

describe("clip", () => {
  it("cuts at a word and says how much is missing", () => {
    expect(clip(`${"word ".repeat(20)}end`, 30)).toBe("word word word word word word… [+74 chars]");
  });

  it("leaves text alone that is not much longer than the note would be", () => {
    expect(clip("x".repeat(50), 30)).toBe("x".repeat(50));
  });

  it("counts what was cut before as missing, and leaves no half of a note", () => {
    const inner = clip("x".repeat(1000), 100);
    expect(inner).toBe(`${"x".repeat(100)}… [+900 chars]`);
    expect(clip(`${inner}; ${"y".repeat(50)}`, 40)).toBe(`${"x".repeat(40)}… [+1012 chars]`);
    expect(clip(`${inner}; ${"y".repeat(50)}`, 105)).toBe(`${"x".repeat(100)}… [+952 chars]`);
    expect(clip(clip(clip("word ".repeat(2000), 1000), 110), 36)).toMatch(/ word… \[\+9966 chars\]$/);
  });

  it("never splits a character", () => {
    expect(clip("🚀".repeat(60), 31)).toBe(`${"🚀".repeat(15)}… [+90 chars]`);
  });
});

describe("visibleJson", () => {
  it("says the same as the JSON that it was given, without anything raw", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
        const json = JSON.stringify(value);
        expect(JSON.parse(visibleJson(json))).toEqual(JSON.parse(json));
        expect(visibleJson(json)).not.toMatch(RAW);
      }),
    );
  });

  it("lets nothing through that a terminal obeys or hides", () => {
    const hostile = JSON.stringify("\u{1b}[31m\u{9b}2J\u{202e}\u{200b}\u{2028}\u{e0041}\u{7f}");
    expect(visibleJson(hostile)).toBe(String.raw`"\u001b[31m\u009b2J\u202e\u200b\u2028\udb40\udc41\u007f"`);
  });
});
