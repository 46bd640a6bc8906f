import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DiffHunk, lineDiff } from "./line-diff.ts";

/** What a text becomes by a diff of it. */
function applied(text: string, hunks: readonly DiffHunk[]): string {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const result: string[] = [];
  let at = 0;
  for (const { from, from_lines, lines: own } of hunks) {
    const start = from_lines === 0 && at === 0 && lines.length === 0 ? 0 : from - 1;
    result.push(...lines.slice(at, start));
    at = start;
    for (const [index, signed] of own.entries()) {
      if (signed.startsWith("\\")) continue;
      const line = `${signed.slice(1)}${own[index + 1]?.startsWith("\\") ? "" : "\n"}`;
      if (!signed.startsWith("+") && lines[at++] !== line)
        throw new Error(`The diff takes ${line} away, which is not there.`);
      if (!signed.startsWith("-")) result.push(line);
    }
  }
  return [...result, ...lines.slice(at)].join("");
}

const text = (max: number) =>
  fc
    .array(fc.constantFrom("a\n", "b\n", "c\n", "\n", "long line\n"), { maxLength: max })
    .map((lines) => lines.join(""));

describe("lineDiff", () => {
  it("makes one text of the other, with as few lines as it takes", () => {
    fc.assert(
      fc.property(text(40), text(40), fc.boolean(), (before, after, isOpen) => {
        const end = isOpen ? after.replace(/\n$/, "") : after;
        expect(applied(before, lineDiff(before, end))).toBe(end);
      }),
      { numRuns: 500 },
    );
  });

  it("does so for long texts, too, in little time", () => {
    const lines = Array.from({ length: 20_000 }, (_, at) => `line ${at % 700}\n`);
    const changed = lines.flatMap((line, at) =>
      at % 3 === 0 ? [] : at % 7 === 0 ? ["new\n", line] : [line],
    );
    expect(applied(lines.join(""), lineDiff(lines.join(""), changed.join("")))).toBe(changed.join(""));
  });

  it("shows three lines around a change, and joins changes that are near each other", () => {
    const lines = Array.from({ length: 40 }, (_, at) => `${at}\n`);
    const after = lines.with(10, "x\n").with(15, "y\n").with(30, "z\n");
    const hunks = lineDiff(lines.join(""), after.join(""));
    expect(hunks.map(({ from, to, lines: all }) => [from, to, all.length])).toEqual([
      [8, 8, 14],
      [28, 28, 8],
    ]);
  });

  it("finds nothing in equal texts", () => {
    expect(lineDiff("a\nb\n", "a\nb\n")).toEqual([]);
  });
});
