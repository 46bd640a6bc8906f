import { describe, expect, it } from "vitest";

import { handoff, type HandoffInput } from "../handoff.ts";

const input: HandoffInput = {
  checkpoint: { checkpoint_id: "ckpt-1" },
  state: {
    goal: `Rewrite the importer. ${"Every format counts. ".repeat(80)}`,
    next_action: "Run the tests",
    constraints: Array.from({ length: 30 }, (_, index) => ({
      text: `Rule ${index}: ${"do not touch this. ".repeat(6)}`,
    })),
  },
  key: new Uint8Array(16),
  resumeCommand: "checkpoint run resume build-7",
};

describe("shrinking", () => {
  it("cuts the long essentials and leaves the short ones whole", () => {
    const { text, tokens, dropped } = handoff(input, { maxTokens: 1500, shrink: true });
    expect(tokens.upper).toBeLessThanOrEqual(1500);
    expect(text).toContain("- Run the tests\n");
    expect(text).toMatch(/- Rule 29: do not touch .*… \[\+\d+ chars\]/);
    expect(dropped).toEqual([]);
  });

  it("costs what is shown of a hostile goal, not all of it", () => {
    const goal = "\u001b".repeat(1_000_000);
    const { text } = handoff({ ...input, state: { goal } }, { maxTokens: 1500, shrink: true });
    expect(text).toMatch(/- (?:\\x1b)+… \[\+\d+ chars\]/);
  });

  it("counts what does not even fit as a stub", () => {
    const { text, tokens } = handoff(input, { maxTokens: 400, shrink: true });
    expect(tokens.upper).toBeLessThanOrEqual(400);
    expect(text).toMatch(/## Constraints \(\d+ of 30\)/);
  });

  it("never says nothing: at the least, how to resume", () => {
    expect(handoff(input, { maxTokens: 60, shrink: true }).text).toBe(
      "Full record: `checkpoint load ckpt-1 --json`\nResume: `checkpoint run resume build-7`",
    );
    expect(handoff(input, { maxTokens: 22, shrink: true }).text).toBe(
      "Resume: `checkpoint run resume build-7`",
    );
    expect(() => handoff(input, { maxTokens: 5, shrink: true })).toThrow("more than the 5 that are allowed");
  });

  it("changes nothing when everything fits", () => {
    expect(handoff(input, { maxTokens: 9000, shrink: true }).text).toBe(
      handoff(input, { maxTokens: 9000 }).text,
    );
  });
});
