import { describe, expect, it } from "vitest";

import { forSubagent } from "./for-subagent.ts";
import { handoff } from "./handoff.ts";
import { budgetOf } from "./options.ts";

describe("budgetOf", () => {
  it("is compact for claude unless told otherwise", () => {
    expect(budgetOf({})).toMatchObject({ family: "claude", maxTokens: 1000 });
  });

  it("takes a number before a level, and characters alone as the only limit", () => {
    expect(budgetOf({ level: "full", maxTokens: 700 })).toMatchObject({ maxTokens: 700 });
    expect(budgetOf({ level: "full", maxChars: 9500 })).toMatchObject({ maxTokens: 4000, maxChars: 9500 });
    expect(budgetOf({ maxChars: 9500 })).toMatchObject({ maxTokens: undefined, maxChars: 9500 });
  });

  it("refuses what is not a size, a level or a family, saying what is", () => {
    expect(() => budgetOf({ maxTokens: 1.5 })).toThrow('"maxTokens" is 1.5, where a whole number');
    expect(() => budgetOf({ maxChars: -1 })).toThrow('"maxChars" is -1, where a whole number');
    expect(() => budgetOf({ level: "huge" as never })).toThrow('"level" is "huge", where one of');
    expect(() => budgetOf({ level: "" as never })).toThrow('"level" is "", where one of');
    expect(() => budgetOf({ level: "toString" as never })).toThrow('"level" is "toString", where one of');
    expect(() => budgetOf({ level: "huge" as never, maxTokens: 700 })).toThrow(
      '"level" is "huge", where one of',
    );
    expect(() => budgetOf({ family: "llama" as never })).toThrow('"family" is "llama", where one of');
  });
});

describe("the options of handoff and forSubagent", () => {
  const input = {
    checkpoint: { checkpoint_id: "ckpt-1" },
    state: { goal: "ship" },
    key: new Uint8Array(32),
    resumeCommand: "checkpoint status",
  };
  const given = (options: object) => () => handoff(input, options);

  it.each([
    [{ format: "html" }, 'The option "format" is "html", where one of markdown, plain, json is needed.'],
    [{ format: "" }, 'The option "format" is "", where one of markdown, plain, json is needed.'],
    [{ audience: "me" }, 'The option "audience" is "me", where one of next-agent, subagent is needed.'],
    [
      { level: "tiny" },
      'The option "level" is "tiny", where one of minimal, compact, standard, full is needed.',
    ],
    [
      { family: "gpt-4" },
      'The option "family" is "gpt-4", where one of claude, claude-3, gpt, gemini, any is needed.',
    ],
    [{ shrink: "no" }, 'The option "shrink" is "no", where true or false is needed.'],
    [{ for: ["a"] }, 'The option "for" is ["a"], where a text is needed.'],
    [{ keys: "a,b" }, 'The option "keys" is "a,b", where a list of texts is needed.'],
    [{ keys: [1] }, 'The option "keys" is [1], where a list of texts is needed.'],
    [
      { counter: () => 1 },
      'The option "counter" is function, where a counter such as { name: "mine", count: (text) => 1 } is needed.',
    ],
    [{ maxTokens: "500" }, 'The option "maxTokens" is "500", where a whole number above 0 is needed.'],
  ])("refuses %j", (options, message) => {
    expect(given(options)).toThrow(expect.objectContaining({ code: "usage", message }));
  });

  it("refuses the same for a subagent", () => {
    for (const options of [{ format: "html" }, { family: "gpt-4" }, { shrink: "no" }, { maxTokens: "500" }])
      expect(() => forSubagent(input, "x", options as never)).toThrow(
        expect.objectContaining({ code: "usage" }),
      );
  });

  it("refuses a subagent's context without a task, or with keys that are no list", () => {
    expect(() => forSubagent(input, undefined as never)).toThrow("A subagent's context needs its task.");
    expect(() => forSubagent(input, 7 as never)).toThrow('The option "task" is 7, where a text is needed.');
    expect(() => forSubagent(input, "x", { relevantKeys: "a" as never })).toThrow(
      'The option "relevantKeys" is "a", where a list of texts is needed.',
    );
  });
});
