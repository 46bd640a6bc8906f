import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

import { loadWorkflow } from "../../src/capabilities/workflow/definition/load-workflow.ts";
import { decideRun } from "../../src/capabilities/workflow/runner/decide-run.ts";
import { resumeRun } from "../../src/capabilities/workflow/runner/resume-run.ts";
import { startRun } from "../../src/capabilities/workflow/runner/start-run.ts";
import { newProject, type Project } from "./support/project.ts";

const folder = join(import.meta.dirname, "../../examples/workflows");
const names = readdirSync(folder);

async function copied(): Promise<Project> {
  const project = await newProject();
  for (const name of names) copyFileSync(join(folder, name), join(project.root, name));
  return project;
}

describe("the example workflows", () => {
  it.each(names)("%s is right, and names the published schema in its first line", async (name) => {
    const { steps } = await loadWorkflow(name, { cwd: folder });
    expect(steps.length).toBeGreaterThan(1);
    const [first] = readFileSync(join(folder, name), "utf8").split("\n");
    expect(first).toBe("# yaml-language-server: $schema=../../schemas/workflow.schema.json");
  });

  it("hello.yaml runs", async () => {
    const project = await copied();
    const run = await startRun(project, await loadWorkflow("hello.yaml", { cwd: project.root }));
    expect(run.status).toBe("completed");
    expect(project.read("out/hello.txt")).toBe("Hello, world\n");
  });

  it("build-feature.yaml runs to its end, with one decision", async () => {
    const project = await copied();
    const workflow = await loadWorkflow("build-feature.yaml", { cwd: project.root });
    const run = await startRun(project, workflow, { runId: "b", inputs: { feature: "login" } });
    expect({ status: run.status, reason: run.reason }).toEqual({
      status: "awaiting_approval",
      reason: undefined,
    });
    await decideRun(project, "b", { approved: true, by: "ann", identity: "given", option: "beta" });
    const ended = await resumeRun(project, "b");
    expect({ status: ended.status, reason: ended.reason }).toEqual({
      status: "completed",
      reason: undefined,
    });
    expect(project.read("out/notes.md")).toBe("Released to beta\n");
    expect(Object.keys(ended.artifacts).toSorted()).toEqual([
      "out/notes.md",
      "reports/plan.json",
      "reports/research.txt",
    ]);
  });
});
