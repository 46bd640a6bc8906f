import { describe, expect, it } from "vitest";
import { findTomlProblem } from "./check-toml.ts";

describe("findTomlProblem", () => {
  it("finds nothing wrong with what people write", () => {
    const text = `# mine
model = "x"   # a comment with "quotes" and [brackets]
notify = ["notify-send", "done # not a comment",
  # inside
  'literal',
]
inline = { a = 1, b = [1, 2] }
long = """
[not.a.table]
"""
raw = '''x = "'''
date = 2026-01-01T00:00:00Z
"quoted key".sub = true

[projects."/home/me/a b"]
trust_level = "trusted"
[[things]]
[[things]]
[tui] # end`;
    expect(findTomlProblem(text)).toBeUndefined();
    expect(findTomlProblem(text.replaceAll("\n", "\r\n"))).toBeUndefined();
    expect(findTomlProblem("")).toBeUndefined();
  });

  it.each([
    ['a = 1\nb = "x\nc = 2', 2],
    ["a = 1\nb = [1,\n2", 2],
    ["a = 1\n\n[table\nb = 1", 3],
    ["[t]\n[t]\n", 2],
    ["just words", 1],
    ["a = \nb = 1", 1],
    ["a = 1\n[t] x", 2],
    ['a = """never ends', 1],
    ["a = 1]", 1],
  ])("finds what is wrong in %j, on line %d", (text, line) => {
    const problem = findTomlProblem(text);
    expect(problem && text.slice(0, problem.position).split("\n").length).toBe(line);
  });
});
