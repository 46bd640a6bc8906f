import { afterEach, beforeEach, expect, it } from "vitest";
import { Sandbox } from "../cli/support/sandbox.ts";

let box: Sandbox;
beforeEach(() => {
  box = new Sandbox();
});
afterEach(() => box.remove());

it("prints what follows from the store, in the format of Prometheus", () => {
  expect(box.run(["metrics"]).status).toBe(3);
  box.write("w.yaml", "name: w\nsteps:\n  - id: a\n    run: 'true'\n  - id: b\n    approve: Go on?\n");
  box.run(["now"]);
  box.run(["run", "w.yaml", "--run-id", "one"]);
  box.run(["run", "w.yaml", "--run-id", "two"]);
  box.run(["reject", "two"]);
  const { stdout, status } = box.run(["metrics"]);
  expect(status).toBe(0);
  for (const line of stdout.trimEnd().split("\n"))
    expect(line).toMatch(/^(?:# (?:HELP|TYPE) cairn_\w+ .+|cairn_\w+(?:\{\w+="[^"\n]*"\})? [\d.]+)$/);
  expect(stdout).toContain('cairn_runs{status="awaiting_approval"} 1\n');
  expect(stdout).toContain("cairn_questions_waiting 1\n");
  expect(stdout).toMatch(/\ncairn_store_bytes \d{4,}\n/);
  const commits = Number(/\ncairn_commits_total (\d+)\n/.exec(`\n${stdout}`)?.[1]);
  expect(commits).toBeGreaterThan(4);
});
