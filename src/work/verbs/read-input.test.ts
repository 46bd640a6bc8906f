import { describe, expect, it } from "vitest";
import { flag, needed, number, optional, required, text, texts, typed } from "./command-words.ts";
import { inputSchema, readInput } from "./read-input.ts";

const ENTRY = {
  arguments: { what: required("TEXT", "What was decided, in quotes", { told: "What was decided." }) },
  options: {
    maxTokens: number(1, "A budget of your own", { maximum: 10 }),
    done_when: texts("TEXT", "What must be true", { most: 2 }),
    dryRun: typed(flag("Only show what would happen")),
  },
  wire: { variables: { kind: "values", about: "Values to keep" }, approved: needed(flag("Yes or no")) },
} as const;

const read = (given: unknown) => readInput(ENTRY, given);
const RIGHT = { what: "Use SQLite", approved: true };

describe("readInput", () => {
  it("gives the verb its own names, and takes snake_case", () => {
    expect(read({ ...RIGHT, max_tokens: 7, done_when: ["It works"], variables: { a: 1 } })).toEqual({
      ...RIGHT,
      maxTokens: 7,
      done_when: ["It works"],
      variables: { a: 1 },
    });
  });

  it.each([
    ["nothing", {}, "what: it is missing; approved: it is missing"],
    ["no object", [], "[] is not an object"],
    ["an unknown name", { ...RIGHT, why: "x" }, "why: unknown; known are what, max_tokens, done_when"],
    ["what is only typed", { ...RIGHT, dry_run: true }, "dry_run: unknown"],
    ["the name that the verb knows", { ...RIGHT, maxTokens: 1 }, "maxTokens: unknown"],
    [
      "a name of every object",
      JSON.parse('{"__proto__": 1, "what": "x", "approved": true}'),
      "__proto__: unknown",
    ],
    ["blanks only", { ...RIGHT, what: " " }, "what: it is empty"],
    [
      "a text that is too long",
      { ...RIGHT, what: "x".repeat(20_001) },
      "what: 20001 characters, where 20000",
    ],
    ["another type", { ...RIGHT, what: 1 }, "what: 1 is not a text"],
    ["null", { ...RIGHT, max_tokens: null }, "max_tokens: null is not a whole number"],
    ["a fraction", { ...RIGHT, max_tokens: 1.5 }, "max_tokens: 1.5 is not a whole number"],
    ["too little", { ...RIGHT, max_tokens: 0 }, "max_tokens: 0 is less than 1"],
    ["too much", { ...RIGHT, max_tokens: 11 }, "max_tokens: 11 is more than 10"],
    ["too many items", { ...RIGHT, done_when: ["a", "b", "c"] }, "done_when: 3 items, where 2 are the most"],
    ["a wrong item", { ...RIGHT, done_when: ["a", 2] }, "done_when.1: 2 is not a text"],
    [
      "a value inside a value",
      { ...RIGHT, variables: { a: {} } },
      "variables.a: {} is not a text or a number or",
    ],
  ])("refuses %s", (_what, given, message) => {
    expect(() => read(given)).toThrow(`Invalid input: ${message}`);
  });

  it("takes what a tool makes of the fields", () => {
    const entry = { options: { goal: text("TEXT", "The goal"), trail: text("TRAIL", "The trail") } };
    const narrowed = { needs: ["goal"], only: ["goal"], also: { fields: texts("FIELD", "Which parts") } };
    expect(readInput(entry, {})).toEqual({});
    expect(() => readInput(entry, {}, { narrowed })).toThrow("goal: it is missing");
    expect(() => readInput(entry, { goal: "x", trail: "y" }, { narrowed })).toThrow("trail: unknown");
    expect(readInput(entry, { goal: "x", fields: ["tasks"] }, { narrowed })).toEqual({
      goal: "x",
      fields: ["tasks"],
    });
  });
});

describe("inputSchema", () => {
  it("says what is taken, in the words for agents where there are some", () => {
    const id = optional("ID", "A checkpoint");
    expect(inputSchema({ arguments: { ...ENTRY.arguments, id } })).toEqual({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: {
        what: { description: "What was decided.", type: "string", minLength: 1, maxLength: 20_000 },
        id: { description: "A checkpoint.", type: "string", maxLength: 200 },
      },
      required: ["what"],
      additionalProperties: false,
    });
  });
});
