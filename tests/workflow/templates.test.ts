import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";

import { loadWorkflow } from "../../src/capabilities/workflow/definition/load-workflow.ts";
import type { Workflow } from "../../src/capabilities/workflow/definition/types.ts";
import { incompleteProgress, scanProgress } from "../../src/work/progress/scan-progress.ts";
import { stateOf } from "../../src/capabilities/workflow/run/run-state.ts";
import { decideRun } from "../../src/capabilities/workflow/runner/decide-run.ts";
import { resumePlan } from "../../src/capabilities/workflow/runner/find-runs.ts";
import { resumeRun } from "../../src/capabilities/workflow/runner/resume-run.ts";
import { startRun } from "../../src/capabilities/workflow/runner/start-run.ts";
import {
  findTemplate,
  TEMPLATES,
  writeTemplate,
} from "../../src/capabilities/workflow/templates/templates.ts";
import { newProject, type Project } from "./support/project.ts";

const ENV = { ...process.env, AGENT_SECONDS: "0" };

async function prepare(name: string): Promise<{ project: Project; workflow: Workflow }> {
  const project = await newProject({}, { env: ENV });
  const file = writeTemplate(findTemplate(name), join(project.folder, "templates", name));
  return { project, workflow: await loadWorkflow(file, { cwd: project.root }) };
}

/** Says yes to everything, and takes the first option. */
async function finish(project: Project, workflow: Workflow) {
  let run = await startRun(project, workflow, { runId: "r" });
  for (let questions = 0; run.status === "awaiting_approval"; questions++) {
    expect(questions).toBeLessThan(5);
    const step = run.definition.find(({ id }) => stateOf(run, id).status === "awaiting_approval")!;
    await decideRun(project, "r", {
      approved: true,
      by: "ann",
      identity: "given",
      ...(step.options && { option: step.options[0] }),
    });
    run = await resumeRun(project, "r");
  }
  return run;
}

describe("every template", () => {
  it.each(TEMPLATES.map(({ name }) => name))("%s runs out of the box, offline", async (name) => {
    const { project, workflow } = await prepare(name);
    const run = await finish(project, workflow);
    expect({ status: run.status, reason: run.reason }).toEqual({ status: "completed", reason: undefined });
    expect(Object.keys(run.artifacts).length).toBeGreaterThan(4);
  });

  it("is found by name, with a hint for a wrong one", () => {
    expect(() => findTemplate("eight-agent")).toThrow('There is no template "eight-agent".');
    expect(TEMPLATES.map(({ name }) => name)).toEqual([
      "eight-agents",
      "phase-gated",
      "product-flow",
      "architecture-review",
    ]);
  });
});

describe("the product flow", () => {
  it("leaves a progress file of each agent, which can be scanned", async () => {
    const { project, workflow } = await prepare("product-flow");
    await finish(project, workflow);
    const { found, problems } = await scanProgress(project);
    expect(problems).toEqual([]);
    expect(found.map(({ progress }) => progress.agent).toSorted()).toEqual([
      "architect",
      "backend-engineer",
      "frontend-engineer",
      "product-skeptic",
      "quality-skeptic",
      "researcher",
      "tester",
    ]);
    expect((await incompleteProgress(project)).found).toEqual([]);
  });
});

describe("the architecture review", () => {
  it("reports for each phase what passed, failed and never ran, and has the council reject failures", async () => {
    const { project, workflow } = await prepare("architecture-review");
    const phases = {
      structure: [
        { name: "sound", run: "true" },
        { name: "broken", run: "echo 'a | `b`'; exit 3" },
      ],
      behaviour: [{ name: "tests", needs: "package.json", run: "npm test" }],
      unheard: [{ name: "lost", run: "true" }],
    };
    project.write(".cairn/templates/architecture-review/phases.json", JSON.stringify(phases));
    const run = await finish(project, workflow);
    expect(run).toMatchObject({
      status: "failed",
      reason: expect.stringContaining("0 of 2 approvals") as string,
    });
    expect(stateOf(run, "coverage").result).toEqual({ declared: 4, passed: 1, failed: 1, never_run: 2 });
    expect(JSON.parse(project.read("architecture/coverage.json"))).toMatchObject([
      {
        phase: "structure",
        declared: 2,
        passed: 1,
        failed: [{ name: "broken", output: "a | `b`" }],
        never_run: [],
      },
      { phase: "behaviour", declared: 1, passed: 0, failed: [], never_run: [{ name: "tests" }] },
      { phase: "unheard", declared: 1, passed: 0, failed: [], never_run: [{ name: "lost" }] },
    ]);
    expect(project.read("architecture/coverage.md")).toContain("| structure | 1 / 2 | `broken` | – |");
    phases.structure.pop();
    project.write(".cairn/templates/architecture-review/phases.json", JSON.stringify(phases));
    const again = await startRun(project, workflow, { runId: "again" });
    expect(again.status).toBe("completed");
    expect(project.read("architecture/review.md")).toContain("3 approvals, 2 needed.");
  });
});

/** For each phase: the step that is in progress, and what it leaves behind. */
const TABLE = [
  ["REQUIREMENTS", "requirements", "approve-requirements"],
  ["ARCHITECTURE, designs", "architect-simple", "choose-design"],
  ["ARCHITECTURE, final design", "roundtable", "implementation"],
  ["IMPLEMENTATION", "implementation", "verification"],
  ["VERIFICATION", "verification", "reflection"],
  ["REFLECTION", "reflection", null],
] as const;

describe("the five-phase resume table", () => {
  it.each(TABLE)("%s: a finished output advances, a missing one runs again", async (_, step, next) => {
    const { project, workflow } = await prepare("phase-gated");
    const stop = new AbortController();
    // The step in question hangs until it is stopped; everything before it gets done.
    project.write(
      ".cairn/templates/phase-gated/agent.sh",
      `#!/bin/sh\necho "$CAIRN_STEP_ID" >> log\nif [ "$CAIRN_STEP_ID" = ${step} ] && [ ! -e go ]; then sleep 30; fi\nfor file in "$@"; do mkdir -p "$(dirname "$file")"; echo '{"ok": true}' > "$file"; done\n`,
    );
    // Its process is there once it has written its name.
    const hasBegun = () =>
      vi.waitFor(() => {
        if (!project.read("log").includes(step)) throw new Error("It has not begun.");
      }, 60_000);
    let run = await startRun(project, workflow, {
      runId: "r",
      signal: stop.signal,
      onApproval: async ({ options }) => ({
        approved: true,
        by: "ann",
        identity: "given",
        ...(options[0] && { option: options[0] }),
      }),
      onEvent: (event) =>
        void (event.type === "step-started" && event.step === step && hasBegun().then(() => stop.abort())),
    });
    expect(run.status).toBe("paused");
    const before = project.read("log").trim().split("\n");
    expect(await resumePlan(project, "r")).toMatchObject({ can_resume: true });
    project.write("go", "");
    run = await resumeRun(project, "r", {
      onApproval: async ({ options }) => ({
        approved: true,
        by: "ann",
        identity: "given",
        ...(options[0] && { option: options[0] }),
      }),
    });
    expect(run.status).toBe("completed");
    const after = project.read("log").trim().split("\n").slice(before.length);
    expect(after).toContain(step);
    const done = before.filter((id) => id !== step && id !== "architect-scalable");
    for (const id of done) expect(after).not.toContain(id);
    expect(after).toEqual(expect.arrayContaining(next === null || next.includes("-") ? [] : [next]));
    expect(existsSync(join(project.root, "memory/reports/final_design.json"))).toBe(true);
  });
});
