import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fit, padEnd, table, widthOf, wrap } from "./columns.ts";

describe("columns", () => {
  it("counts what a terminal shows", () => {
    expect(widthOf("abc")).toBe(3);
    expect(widthOf("\u{1b}[31mabc\u{1b}[39m")).toBe(3);
    expect(widthOf("日本")).toBe(4);
    expect(widthOf("e\u{301}")).toBe(1);
    expect(widthOf("🙂")).toBe(2);
  });

  it("cuts to any width, and never more than it must", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 30 }), (text, width) => {
        const cut = fit(text, width);
        expect(widthOf(cut)).toBeLessThanOrEqual(Math.max(width, 1));
        expect(cut === text).toBe(widthOf(text) <= width);
      }),
    );
  });

  it("wraps at spaces, and loses no word", () => {
    // In capitals, so that none of them begins a command.
    const words = fc.array(fc.stringMatching(/^[A-Z]{1,12}$/), { minLength: 1 });
    fc.assert(
      fc.property(words, fc.integer({ min: 12, max: 60 }), (list, width) => {
        const wrapped = wrap(list.join(" "), width);
        expect(wrapped.split(/\s+/)).toEqual(list);
        for (const line of wrapped.split("\n")) expect(line.length).toBeLessThanOrEqual(width);
      }),
    );
  });

  it("keeps a command to copy whole, on a line of its own if need be", () => {
    const resume = "checkpoint resume release-of-the-login-page --resume-step 3";
    expect(wrap(`hint: Start a new one, or fork this one: ${resume}`, 50)).toBe(
      `hint: Start a new one, or fork this one:\n${resume}`,
    );
    expect(wrap(`\u{1b}[2mhint:\u{1b}[22m ${resume}, or look at it (it is old): checkpoint runs`, 50)).toBe(
      `\u{1b}[2mhint:\u{1b}[22m\n${resume},\nor look at it (it is old): checkpoint runs`,
    );
    expect(wrap(resume, 20)).toBe(resume);
  });

  it("puts cells under each other, and cuts the last to what is left", () => {
    const rows = [
      ["a", "日本", "first"],
      ["bbb", "x", "a longer text that does not fit"],
    ];
    expect(table(rows, undefined)).toBe("a    日本  first\nbbb  x     a longer text that does not fit");
    expect(table(rows, 24)).toBe("a    日本  first\nbbb  x     a longer tex…");
    expect(padEnd("日", 4)).toBe("日  ");
  });
});
