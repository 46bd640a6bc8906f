import { describe, expect, it } from "vitest";
import { condense } from "./condense.ts";

const REPORT = [
  "Good, lots of things to look at there.",
  "## Findings",
  "|---|---|",
  "The cache is rebuilt on every request because `sessionKey` holds a timestamp.",
  "It is a rather long paragraph that says nothing in particular and goes on like that for a while.",
  "Let me look at the next file.",
  "Want me to go on with that?",
].join("\n");

describe("condense", () => {
  it("keeps reasons before headings, plans and offers", () => {
    expect(condense(REPORT, 120)).toContain("because `sessionKey` holds a timestamp");
    const more = condense(REPORT, 220);
    expect(more).not.toContain("|---|");
    expect(more).not.toContain("Let me look");
    expect(more).not.toContain("Want me to");
  });

  it("keeps the order, and marks what it leaves out", () => {
    expect(condense("First, because of x.\nplain\nLast one fails in 3 tests.", 54)).toBe(
      "First, because of x.\n… Last one fails in 3 tests.",
    );
  });
});
