import { describe, expect, it } from "vitest";

import { parseTrailName } from "./names.ts";

describe("trail names", () => {
  it.each(["main", "session/5f3a-22", "run/build_1.2", "thread/user@example", "日本語/ünïcode", "a"])(
    "accepts %j",
    (name) => {
      expect(parseTrailName(name)).toBe(name);
    },
  );

  const hostile = [
    "",
    ".",
    "..",
    "a/../b",
    "/abs",
    "a//b",
    "a/",
    "a\0b",
    "a b",
    " a",
    "-rf",
    "con",
    "aux.txt",
    "x/COM1",
    "a.lock",
    "x".repeat(300),
    "a\u202Eb",
    "e\u0301",
    "a\\b",
    "a\nb",
    ".",
  ];
  it.each(hostile)("refuses %j", (name) => {
    expect(() => parseTrailName(name)).toThrow(expect.objectContaining({ code: "usage" }));
  });
});
