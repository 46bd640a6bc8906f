import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keyLines, shownLines } from "../../../work/sessions/activity/key-lines.ts";
import { problemsOfResult } from "./problems-of-result.ts";

const OUTPUTS = join(import.meta.dirname, "../../../../tests/bugs/outputs");

/** As a session records what a real tool printed: before and after five lines were inserted above, at another time. */
function problems(command: string, output: string) {
  const text = readFileSync(join(OUTPUTS, `${output}.txt`), "utf8");
  return problemsOfResult({ command, check: command, lines: keyLines(shownLines(text), 6) });
}

describe("a problem of a real tool", () => {
  it.each([
    ["vitest", "vitest run", "vitest", ["cart > adds the tax", "cart > reads the file"]],
    ["jest", "npx jest", "jest", ["rounds down"]],
    ["node:test", "node --test", "node-test", ["sums up"]],
    ["pytest", "pytest -q", "pytest", ["test_total"]],
    ["go", "go test ./...", "go", ["TestTotal"]],
    ["go", "go build ./...", "go-build", ["undefined: missing"]],
    ["cargo", "cargo test", "cargo", ["adds_tax"]],
    ["cargo", "cargo build", "cargo-build", ["E0308: mismatched types"]],
    ["tsc", "tsc --noEmit", "tsc", ["TS2322: Type 'string'", "TS2551: Property 'lenght'"]],
    ["eslint", "eslint .", "eslint", ["no-unused-vars: 'unused'", "eqeqeq: Expected '==='"]],
  ])("of %s keeps its id when its lines move (%s)", (tool, command, output, titles) => {
    const first = problems(command, `${output}-first`);
    expect(first.map(({ tool: found, kind }) => [found, kind])).toEqual(titles.map(() => [tool, "project"]));
    for (const [index, title] of titles.entries()) expect(first[index]?.title).toContain(title);
    expect(problems(command, `${output}-later`).map(({ id }) => id)).toEqual(first.map(({ id }) => id));
  });

  it("is another one in another file, test or message", () => {
    const line = (file: string, message: string) => `${file}:3:1: ${message} (errcheck)`;
    const ids = [
      line("a/b.go", "Error of `x` is not checked"),
      line("a/c.go", "Error of `x` is not checked"),
      line("a/b.go", "Error of `y` is not checked"),
    ].map(
      (text) =>
        problemsOfResult({ command: "golangci-lint run", check: "golangci-lint run", lines: [text] })[0]?.id,
    );
    expect(new Set(ids).size).toBe(3);
  });

  it("is the same from another folder, and behind a runner of tasks", () => {
    const [here] = problemsOfResult({
      command: "go vet ./...",
      check: "go vet",
      lines: ["cmd/a.go:3:1: undefined: x"],
    });
    const [there] = problemsOfResult({
      command: "cd cmd && go vet .",
      check: "go vet",
      lines: ["./a.go:9:1: undefined: x"],
    });
    const [task] = problemsOfResult({
      command: "mise run lint",
      check: "mise run lint",
      lines: ["[lint:go] cmd/a.go:4:1: undefined: x"],
    });
    expect([there?.id, task?.id]).toEqual([here?.id, here?.id]);
  });
});

describe("a failure that no parser knows", () => {
  it("is one problem by what was run and what was printed, without numbers, times and paths", () => {
    const of = (line: string) =>
      problemsOfResult({ command: "make check", check: "make check", lines: [line] })[0];
    const first = of(
      "step 3 at 2026-11-15T10:00:00Z in /tmp/abc/x: port 8080 is taken by 550e8400-e29b-41d4-a716-446655440000",
    );
    const again = of(
      "step 7 at 2026-11-16T11:30:01Z in /tmp/def/x: port 8081 is taken by 6ba7b810-9dad-41d1-80b4-00c04fd430c8",
    );
    expect(first).toMatchObject({ tool: null, kind: "project" });
    expect(again?.id).toBe(first?.id);
    expect(of("the disk is full")?.id).not.toBe(first?.id);
  });

  it("is a slip where nothing was checked, or the check did not start", () => {
    const kind = (command: string, check: string | undefined, line: string) =>
      problemsOfResult({ command, check, lines: [line] })[0]?.kind;
    expect(kind("cat a.txt", undefined, "cat: a.txt: No such file or directory")).toBe("slip");
    expect(kind("cd nope && go test", "go test", "(eval):cd:1: no such file or directory: nope")).toBe(
      "slip",
    );
    expect(kind("npm test", "npm test", "something else broke")).toBe("project");
  });

  it("stays quick and bounded whatever is printed", () => {
    const lines = Array.from(
      { length: 6 },
      (_, index) => `${"a/".repeat(150)}${index}: \u001b[31m${"(x".repeat(4000)}`,
    );
    const [problem] = problemsOfResult({ command: "make", check: "make", lines });
    expect(problem?.title.length).toBeLessThanOrEqual(160);
  });
});

describe("what is told once", () => {
  it("is a test that fails with its subtests", () => {
    const lines = ["--- FAIL: TestCart (0.01s)", "    --- FAIL: TestCart/with_tax (0.00s)"];
    const problems = problemsOfResult({ command: "go test ./...", check: "go test ./...", lines });
    expect(problems.map(({ title }) => title)).toEqual(["TestCart/with_tax"]);
  });

  it("is a call of one address, not those of others", () => {
    const [one, same, other] = ["api/pulls/1", '"api/pulls/2"', "api/issues/1"].map(
      (target) =>
        problemsOfResult({ command: `gh api ${target}`, lines: ["gh: Not Found (HTTP 404)"] })[0]?.id,
    );
    expect(same).toBe(one);
    expect(other).not.toBe(one);
  });
});
