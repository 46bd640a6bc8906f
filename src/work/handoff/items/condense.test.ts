import { describe, expect, it } from "vitest";
import { condense, piecesOf } from "./condense.ts";

const REPORT = [
  "Good, lots of things to look at there.",
  "## Findings",
  "|---|---|",
  "The cache is rebuilt on every request because sessionKey holds a timestamp.",
  "It is a rather long paragraph that says nothing in particular and goes on like that for a while.",
  "Let me look at the next file.",
  "Want me to go on with that?",
].join("\n");

const condensed = (text: string, chars: number) => condense(piecesOf(text), chars);

describe("condense", () => {
  it("keeps reasons before headings, plans and offers", () => {
    expect(condensed(REPORT, 120)).toContain("because sessionKey holds a timestamp");
    const more = condensed(REPORT, 220);
    expect(more).not.toContain("|---|");
    expect(more).not.toContain("Let me look");
    expect(more).not.toContain("Want me to");
  });

  it("keeps the order, and marks what it leaves out", () => {
    expect(condensed("First, because of x.\nplain\nLast one fails in 3 tests.", 55)).toBe(
      "First, because of x. … Last one fails in 3 tests.",
    );
  });

  it("leaves out words that only begin a sentence, and marks that say nothing", () => {
    const [piece] = piecesOf("Good, I see that **`keyOf()`** fails, because `rebuild` is called twice ✅");
    expect(piece!.text).toBe("keyOf() fails, because `rebuild` is called twice");
  });

  it("keeps what introduces a sentence with it, and the entries of a list together", () => {
    const text = "**The problem:**\nThe key holds a time.\n\nOptions:\n1. Drop it\n2. Round it";
    expect(piecesOf(text).map((piece) => piece.text)).toEqual([
      "The problem: The key holds a time.",
      "Options: 1. Drop it 2. Round it",
    ]);
  });

  it("knows the sentences of other scripts, and cuts what has none", () => {
    const chinese = "缓存在每个请求中都会重建。".repeat(20);
    expect(piecesOf(chinese)).toHaveLength(20);
    const russian = "Кэш перестраивается при каждом запросе. ".repeat(5).trim();
    expect(piecesOf(russian)).toHaveLength(5);
    expect(piecesOf("x".repeat(2000))[0]!.text.length).toBeLessThan(500);
  });

  it("leaves out code, save a command or two", () => {
    const text =
      "Run it:\n```\nnpm test\n```\nThis is how:\n```ts\nfirst();\nsecond();\nthird();\n```\nIt works.";
    expect(piecesOf(text).map((piece) => piece.text)).toEqual([
      "Run it: `npm test`",
      "This is how: It works.",
    ]);
  });

  it("tells a table by its rows, under what introduces it", () => {
    const table = "Timing:\n| repo | total |\n| --- | --- |\n| small | 111 ms |\n| large | 425 ms |";
    expect(condensed(table, 200)).toBe("Timing: repo | total; small | 111 ms; large | 425 ms");
  });

  it("does not tell a line whose list there is no room for", () => {
    const text = `The root causes are these:\n\n${"- `readAll` walks the whole tree\n".repeat(20)}`;
    expect(condensed(text, 60)).not.toContain("these:");
  });
});
