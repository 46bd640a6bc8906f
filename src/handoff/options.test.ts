import { describe, expect, it } from "vitest";

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
    expect(() => budgetOf({ maxTokens: 1.5 })).toThrow('"1.5" is not a size for maxTokens.');
    expect(() => budgetOf({ maxChars: -1 })).toThrow('"-1" is not a size for maxChars.');
    expect(() => budgetOf({ level: "huge" as never })).toThrow('"huge" is not a level.');
    expect(() => budgetOf({ level: "" as never })).toThrow('"" is not a level.');
    expect(() => budgetOf({ level: "toString" as never })).toThrow('"toString" is not a level.');
    expect(() => budgetOf({ family: "llama" as never })).toThrow('"llama" is not a model family.');
  });
});
