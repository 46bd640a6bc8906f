import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Sandbox } from "../cli/support/sandbox.ts";

/** The first block of a page in this language that holds a word. */
function block(page: string, language: string, word: string): string {
  const text = readFileSync(join(import.meta.dirname, "../../docs", page), "utf8");
  const blocks = text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm);
  return [...blocks].find(([, found, inside = ""]) => found === language && inside.includes(word))![2]!;
}

let box: Sandbox;
beforeEach(() => {
  box = new Sandbox();
});
afterEach(() => box.remove());

describe("the walk-throughs, in an empty folder", () => {
  it("shows a failing test as a bug, and settles it", () => {
    const test = block("bugs.md", "js", "adds");
    box.write("sum.test.mjs", test);
    box.write("check.yaml", block("bugs.md", "yaml", "name: check"));
    expect(box.run(["run", "check.yaml"]).status).toBe(1);
    expect(box.run(["bugs"]).stdout).toMatch(/^#1 .*1×  node:test .*adds$/m);
    expect(box.run(["bugs", "show", "1"])).toMatchObject({ status: 0 });
    box.write("sum.test.mjs", test.replace("3)", "2)"));
    expect(box.run(["resume"]).status).toBe(0);
    const { stdout, stderr } = box.run(["bugs"]);
    expect(stdout + stderr).toContain("Nothing is open; 1 bug closed");
    expect(box.run(["bugs", "--all"]).stdout).toContain("settled");
  });

  it("suggests an approval before a risky step", () => {
    box.write("deploy.yaml", block("bugs.md", "yaml", "name: deploy"));
    expect(box.run(["run", "deploy.yaml"]).status).toBe(1);
    expect(box.run(["suggest", "--explain"]).stdout).toContain(
      'Step "deploy" is of high risk, and no approval stands before it.',
    );
  });
});
