import { describe, expect, it } from "vitest";
import { createRedactor } from "./redactor.ts";

describe("extra patterns", () => {
  it("are redacted under their own name, as text or as a regular expression", () => {
    const { redactText } = createRedactor({
      extraPatterns: [
        { name: "acme-key", pattern: "ACME-[A-Z0-9]{8}" },
        { name: "badge", pattern: /badge \d{6}/i },
      ],
    });
    expect(redactText("ACME-12AB34CD and Badge 123456")).toEqual({
      value: "[redacted:acme-key] and [redacted:badge]",
      findings: [
        { path: [], rule: "acme-key", count: 1 },
        { path: [], rule: "badge", count: 1 },
      ],
    });
  });

  it("replace only the group called secret, if there is one", () => {
    const { redactText } = createRedactor({
      extraPatterns: [{ name: "badge", pattern: "badge (?<secret>[0-9]{6})" }],
    });
    expect(redactText("badge 123456 ok").value).toBe("badge [redacted:badge] ok");
  });

  it("work on a pattern that remembers where it stopped", () => {
    const pattern = /ACME-\d{4}/gy;
    pattern.lastIndex = 5;
    const { redactText } = createRedactor({ extraPatterns: [{ name: "acme", pattern }] });
    expect(redactText("x ACME-1234 ACME-5678").value).toBe("x [redacted:acme] [redacted:acme]");
    expect(pattern.lastIndex).toBe(5);
  });

  it("never touch what is redacted already", () => {
    const { redactText } = createRedactor({ extraPatterns: [{ name: "fruit", pattern: "redacted|banana" }] });
    const once = redactText("a banana and password=hunter2").value;
    expect(once).toBe("a [redacted:fruit] and password=[redacted:password]");
    expect(redactText(once)).toEqual({ value: once, findings: [] });
  });

  const REFUSED: Record<string, string> = {
    "": "matches the empty text",
    "a*": "matches the empty text",
    "x|": "matches the empty text",
    "(a+)+": "repeats a group that repeats",
    "(?:[a-z]+-?)*z": "repeats a group that repeats",
    "((?:ab+)c){2,}": "repeats a group that repeats",
    "(a|a)+b": "repeats a group of alternatives",
    "key.*.*end": "two endless repeats in a row",
    "(.)\\1+": "refers back to a group",
    "(unclosed": "not a regular expression",
  };
  for (const [pattern, reason] of Object.entries(REFUSED)) {
    it(`refuse ${JSON.stringify(pattern)}, because it ${reason}`, () => {
      expect(() => createRedactor({ extraPatterns: [{ name: "mine", pattern }] })).toThrow(
        expect.objectContaining({ code: "usage", message: expect.stringContaining(reason) as string }),
      );
    });
  }

  it("accept what a careful person writes", () => {
    const careful = [
      "ACME-[A-Za-z0-9]{32,64}",
      "(?:foo|bar)-\\d+",
      "[(+*)]{3}x+",
      "\\(a+\\)x",
      "k\\.[\\w-]{20}(?:\\.[a-z]{2})?",
      "\\p{Lu}{4}-\\d{2}",
    ];
    for (const pattern of careful) {
      expect(() =>
        createRedactor({ extraPatterns: [{ name: "mine", pattern: new RegExp(pattern, "u") }] }),
      ).not.toThrow();
    }
  });

  it("need a name that fits into the replacement", () => {
    expect(() => createRedactor({ extraPatterns: [{ name: "no spaces]", pattern: "x{3}" }] })).toThrow(
      expect.objectContaining({ code: "usage" }),
    );
  });
});

describe("allow", () => {
  it("keeps exact strings and what a pattern matches, in texts, under keys and in commands", () => {
    const redactor = createRedactor({ allow: ["hunter2", /^test-/, "1234"] });
    const state = {
      password: "hunter2",
      db_password: "test-abc1",
      pin: 1234,
      argv: ["redis-cli", "-a", "hunter2"],
      note: "password=hunter2",
    };
    expect(redactor.redact(state)).toEqual({ value: state, findings: [] });
    expect(redactor.redact({ password: "hunter22" }).value).toEqual({ password: "[redacted:password]" });
  });
});
