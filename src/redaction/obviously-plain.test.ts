import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SHORT_OPTIONS } from "./commands.ts";
import { createRedactor } from "./redactor.ts";
import type { Json, JsonObject } from "../objects/json.ts";
import { isObviouslyPlain } from "./obviously-plain.ts";

const redactor = createRedactor();

describe("isObviouslyPlain", () => {
  it.each<[JsonObject]>([
    [{ goal: "Ship the login page, or not" }],
    [
      {
        workspace: {
          head: "0123456789abcdef0123456789abcdef01234567",
          branch: "feature/nice-and-long-branch",
          dirty: true,
        },
      },
    ],
    [{ files_touched: ["src/cli/commands/task-list.ts", "README.md", "docs/a_b.md"] }],
    [{ subject: "Write the test", owner: null }],
    [{ variables: { region: "eu-west-1", build: "42" } }],
    [{ text: "Never touch production" }],
    [{ command: 'cd app && grep -n "foo" src/*.ts | head -5 > out.txt; ls' }],
  ])("lets %j pass unsearched", (value) => {
    // "login" is a word that passwords follow, so a goal with it is searched.
    expect(isObviouslyPlain(value)).toBe(!JSON.stringify(value).includes("login"));
    expect(redactor.redact(value).findings).toEqual([]);
  });

  it.each<[JsonObject]>([
    [{ variables: { db_password: "hunter2" } }],
    [{ variables: { pin: "1234" } }],
    [{ variables: { a: { API_KEY: "abc" } } }],
    [{ notes: "the password is hunter2" }],
    [{ notes: "ghp_0123456789abcdefghijABCDEFGHIJ012345" }],
    [{ text: "postgres://me:secret@db/x" }],
    [{ files_touched: ["-p", "governance2026"] }],
    [{ subject: "use AKIAIOSFODNN7EXAMPLE" }],
    [{ branch: "key=abc" }],
    [{ notes: "ran redis-cli -a hunter2 PING" }],
    [{ command: "mysql -phunter2 shop" }],
    [{ command: "cd x && zip -P hunter2 a.zip b" }],
  ])("has %j searched", (value) => {
    expect(isObviouslyPlain(value)).toBe(false);
  });

  it("lets nothing pass that the rules would take out", () => {
    const word = fc.oneof(
      fc.stringMatching(/^[A-Za-z0-9_./-]{1,20}$/),
      fc.stringMatching(/^[a-z_./-]{1,60}$/),
      fc.stringMatching(/^[0-9a-f]{32,64}$/),
      fc.constantFrom(
        "set",
        "is",
        "by",
        "hunter2",
        "Tr0ub4dor",
        "AKIA",
        "sk",
        "xoxb",
        "ghp_",
        "AIza",
        "eyJhbGciOi",
        "bot",
        "PIN",
        "code",
        "1234",
        "otp",
        "con",
        "id",
        "user",
        "echo",
        "export",
        "-p",
        "-phunter2",
        "-a",
        "-P",
        "-u",
        "-k",
        "mc alias set",
        "mc config host add",
        "htpasswd",
        "default",
        "value",
        ...SHORT_OPTIONS.keys(),
      ),
    );
    const space = fc.constantFrom(
      " ",
      " ",
      " ",
      " && ",
      " | ",
      "; ",
      ' "',
      "' ",
      " > ",
      "\n",
      "#",
      "[",
      "} ",
      "+",
      "*",
    );
    const text = fc
      .array(fc.tuple(word, space), { minLength: 1, maxLength: 8 })
      .map((words) => words.flat().slice(0, -1).join(""));
    const value = fc.oneof(
      fc.record({ goal: text, success_criteria: fc.array(text) }),
      fc.record({ variables: fc.dictionary(word, fc.oneof(text, fc.integer(), fc.dictionary(word, text))) }),
      fc.record({ files_touched: fc.array(word), workspace: fc.record({ branch: word, head: word }) }),
      fc.record({
        subject: text,
        owner: fc.option(word),
        notes: text,
        id: text,
        evidence: text,
        reason: text,
      }),
      fc.record({ state: fc.dictionary(word, fc.oneof(text, fc.dictionary(word, text))) }),
    );
    let passed = 0;
    fc.assert(
      fc.property(value, (state) => {
        if (!isObviouslyPlain(state)) return;
        passed++;
        expect(redactor.redact(state as Json).findings).toEqual([]);
      }),
      { numRuns: 4000 },
    );
    // A property that nothing reaches would hold of anything.
    expect(passed).toBeGreaterThan(100);
  });
});
