import { describe, expect, it } from "vitest";
import { defineWorkflow } from "../../src/capabilities/workflow/definition/define-workflow.ts";
import type { ForeignPipeline } from "../../src/work/import/formats/pipeline.ts";
import { stateOf } from "../../src/capabilities/workflow/run/run-state.ts";
import { bindWorkflow } from "../../src/capabilities/workflow/runner/bind-workflow.ts";
import { readRun } from "../../src/capabilities/workflow/runner/examine-run.ts";
import { resumePlan } from "../../src/capabilities/workflow/runner/find-runs.ts";
import { canBeRun, importPipeline } from "../../src/capabilities/workflow/runner/import-pipeline.ts";
import { resumeRun } from "../../src/capabilities/workflow/runner/resume-run.ts";
import { newProject } from "./support/project.ts";

const RECORD = { source: "checkpoint.json", at: "2026-01-01T00:00:00Z", sha256: "0", trusted: false };

function pipeline(done: readonly string[], open: readonly string[]): ForeignPipeline {
  const at = "2025-10-23T09:34:56.123456";
  const step = (state: "done" | "to come") => (name: string) => ({ name, state, at });
  return {
    id: "p-1",
    unit: "agent",
    steps: [...done.map(step("done")), ...open.map(step("to come"))],
    artifacts: [],
    artifactsAre: "beside the file",
    updated_at: at,
    problem: null,
    problems: [],
  };
}

type TestProject = Awaited<ReturnType<typeof newProject>>;

const bring = (project: TestProject, found: ForeignPipeline, files: { path: string; step: string }[] = []) =>
  importPipeline(
    project,
    { pipeline: found, work: {}, missing: [], files, record: RECORD },
    { trigger: "import" },
  );

describe("an imported pipeline", () => {
  it("is bound to a workflow by the names of its steps, never by their positions", async () => {
    const project = await newProject();
    await bring(project, pipeline(["plan", "test"], ["build", "ship"]));
    const ran: string[] = [];
    const step = (id: string) => ({ id, run: () => void ran.push(id) });
    const workflow = defineWorkflow({
      name: "w",
      steps: ["lint", "ship", "test", "build", "plan"].map((id) => ({ ...step(id), needs: [] })),
    });
    const run = await resumeRun(project, "p-1", { workflow });
    expect(run.status).toBe("completed");
    expect(ran.toSorted()).toEqual(["build", "lint", "ship"]);
    expect(stateOf(run, "plan")).toMatchObject({ status: "completed", attempt: 0 });
  });

  it("cannot resume before a workflow says what its steps run", async () => {
    const project = await newProject();
    await bring(project, pipeline(["plan"], ["build"]));
    await expect(resumeRun(project, "p-1")).rejects.toMatchObject({
      code: "conflict",
      hint: expect.stringContaining("checkpoint resume p-1 --workflow FILE") as string,
    });
    expect(await resumePlan(project, "p-1")).toMatchObject({ can_resume: false, next: "build" });
  });

  it("refuses a workflow that has none of its steps, and a second one", async () => {
    const project = await newProject();
    await bring(project, pipeline(["plan"], ["build"]));
    const other = defineWorkflow({ name: "other", steps: [{ id: "deploy", run: "true" }] });
    await expect(bindWorkflow(project, "p-1", { workflow: other, inputs: {} })).rejects.toMatchObject({
      code: "usage",
      hint: "Steps are matched by name. Its steps are plan, build.",
    });
    const workflow = defineWorkflow({ name: "w", steps: [{ id: "build", run: "true" }] });
    const first = await bindWorkflow(project, "p-1", { workflow, inputs: {} });
    expect(await bindWorkflow(project, "p-1", { workflow, inputs: {} })).toEqual(first);
    const second = { workflow: { ...other, steps: workflow.steps }, inputs: {} };
    await expect(bindWorkflow(project, "p-1", second)).rejects.toMatchObject({ code: "usage" });
  });

  it("records the inputs of its workflow, and of secret ones only the names", async () => {
    const project = await newProject();
    await bring(project, pipeline(["plan"], ["build"]));
    const workflow = defineWorkflow({
      name: "w",
      inputs: { request: { required: true }, token: { secret: true } },
      steps: [{ id: "build", run: ({ inputs }) => `${inputs["request"]} ${inputs["token"]?.length}` }],
    });
    await expect(resumeRun(project, "p-1", { workflow })).rejects.toThrow(
      'needs a value for "request", "token"',
    );
    const inputs = { request: "Login", token: "t0p-s3cret" };
    const run = await resumeRun(project, "p-1", { workflow, inputs });
    expect(run).toMatchObject({ inputs: { request: "Login" }, secret_inputs: ["token"] });
    expect(stateOf(run, "build").result).toBe("Login 10");
    expect(JSON.stringify(run)).not.toContain("t0p-s3cret");
  });

  it("is replaced by a newer file until it is resumed here, and then kept", async () => {
    const project = await newProject();
    await bring(project, pipeline(["plan"], ["build", "ship"]));
    await bring(project, pipeline(["plan", "build"], ["ship"]));
    expect((await readRun(project, "p-1")).steps.map(({ id }) => id)).toEqual(["plan", "build"]);
    const workflow = defineWorkflow({ name: "w", steps: [{ id: "ship", run: "true" }] });
    await resumeRun(project, "p-1", { workflow });
    await expect(bring(project, pipeline(["plan"], ["build", "ship"]))).rejects.toMatchObject({
      code: "conflict",
      message: 'There is already a run "p-1".',
    });
  });

  it("has the times of its file, taken as UTC, and is over when everything was done", async () => {
    const project = await newProject();
    const { run } = await bring(project, pipeline(["plan"], []));
    expect(run).toMatchObject({ status: "completed", updated_at: "2025-10-23T09:34:56.123Z" });
    expect(run.archived_as).toMatch(/^p-1_/);
  });

  it("needs names that are safe as parts of a path", () => {
    expect(canBeRun(pipeline(["plan"], ["build"]))).toBe(true);
    expect(canBeRun(pipeline(["../plan"], ["build"]))).toBe(false);
    expect(canBeRun({ ...pipeline(["plan"], []), id: "a/b" })).toBe(false);
    expect(canBeRun(pipeline([], []))).toBe(false);
  });
});
