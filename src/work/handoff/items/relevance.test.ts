import { describe, expect, it } from "vitest";

import { handoff, type HandoffInput } from "../handoff.ts";
import { forSubagent } from "../for-subagent.ts";

const input: HandoffInput = {
  checkpoint: { checkpoint_id: "ckpt-1", agent_id: "main", agent_tier: 1 },
  state: {
    goal: "Ship the release",
    next_action: "Go on",
    gotchas: Array.from({ length: 30 }, (_, index) => ({
      text: `Remember to look at the weather before walk number ${index}`,
    })).concat(
      { text: "The login test needs a seeded user, or it passes for the wrong reason" },
      { text: "登录测试需要先创建用户，否则会因为错误的原因通过" },
      Array.from({ length: 30 }, (_, index) => ({
        text: `Remember to look at the clock before meeting number ${index}`,
      })),
    ),
    dependencies: [
      {
        name: "vault",
        type: "service",
        status: "available",
        endpoint: "https://127.0.0.1:8200",
        last_checked: null,
      },
      {
        name: "orders",
        type: "postgres",
        status: "available",
        endpoint: "postgres://db/orders",
        last_checked: null,
      },
    ],
    variables: { current_tier: 1, colour: "green", promotion_votes: 2 },
  },
  key: new Uint8Array(16),
  resumeCommand: "checkpoint run resume build-7",
};
const maxTokens = 450;

/** What stands in the section for the task. */
function relevant(task: string): string {
  return (
    /## Relevant to this task[^]*?(?=\n## )/.exec(handoff(input, { maxTokens, for: task }).text)?.[0] ?? ""
  );
}

describe("the task that a briefing is for", () => {
  it("brings what a task type is about", () => {
    expect(handoff(input, { maxTokens }).text).not.toContain("Relevant to this task");
    expect(relevant("terraform")).toContain("https://127.0.0.1:8200");
    expect(relevant("Database")).toContain("postgres://db/orders");
    expect(relevant("governance")).toContain("current_tier: 1");
    expect(relevant("promotion")).toContain("promotion_votes: 2");
  });

  it("finds what a sentence is about, in English and in Chinese", () => {
    expect(handoff(input, { maxTokens }).text).not.toContain("seeded user");
    expect(handoff(input, { maxTokens, for: "fix the login tests" }).text).toContain("seeded user");
    expect(handoff(input, { maxTokens, for: "修复登录测试" }).text).toContain("登录测试");
  });

  it("changes nothing when nothing matches", () => {
    expect(handoff(input, { maxTokens, for: "xyzzy" }).text).toBe(handoff(input, { maxTokens }).text);
  });
});

describe("forSubagent", () => {
  it("gives context for a task, with the keys that it needs, and no command to resume", () => {
    const { text, tokens } = forSubagent(input, "promotion", {
      relevantKeys: ["agent_id", "current_tier"],
      maxTokens: 500,
    });
    expect(tokens.upper).toBeLessThanOrEqual(500);
    expect(text).toContain("# Context\n");
    expect(text).toContain("- agent_id: main\n- current_tier: 1\n");
    expect(text).not.toContain("Resume");
    expect(text).toMatch(/Full record: `checkpoint load ckpt-1 --json`[^\n]*$/);
  });

  it("takes 1,000 tokens unless told otherwise", () => {
    expect(forSubagent(input, "walk").text).toBe(
      handoff(input, { for: "walk", maxTokens: 1000, audience: "subagent" }).text,
    );
  });
});
