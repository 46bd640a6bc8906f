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

  it("refuses what is not a size or a level, saying what is", () => {
    expect(() => budgetOf({ maxTokens: 1.5 })).toThrow('"maxTokens" is 1.5, where a whole number');
    expect(() => budgetOf({ maxChars: -1 })).toThrow('"maxChars" is -1, where a whole number');
    expect(() => budgetOf({ level: "huge" as never })).toThrow('"level" is "huge", where one of');
    expect(() => budgetOf({ level: "" as never })).toThrow('"level" is "", where one of');
    expect(() => budgetOf({ level: "toString" as never })).toThrow('"level" is "toString", where one of');
    expect(() => budgetOf({ level: "huge" as never, maxTokens: 700 })).toThrow(
      '"level" is "huge", where one of',
    );
  });
});
