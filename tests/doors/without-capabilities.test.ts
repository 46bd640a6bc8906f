import { createReadStream, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defineWorkflow } from "../../src/capabilities/workflow/definition/define-workflow.ts";
import { elsewhereOf } from "../../src/capabilities/workflow/elsewhere.ts";
import { startRun } from "../../src/capabilities/workflow/runner/start-run.ts";
import { openRuns } from "../../src/capabilities/workflow/verbs/open-runs.ts";
import {
  goal,
  importFile,
  now,
  openProject,
  status,
  unfinished,
  type Project,
} from "../../src/doors/library/project.ts";
import { completions } from "../../src/work/project/reading/completions.ts";
import { Sandbox } from "../cli/support/sandbox.ts";

const ASKING = defineWorkflow({ name: "ship", steps: [{ id: "ask", approve: "Ship it?" }] });

const PIPELINE = {
  version: "1.0",
  workflow_id: "20251023_093456",
  created_at: "2025-10-23T09:34:56.123456",
  completed_agents: ["orchestrator"],
  current_agent: "researcher",
  artifacts_created: [],
};

let box: Sandbox;
let whole: Project;
let bare: Project;
beforeEach(() => {
  box = new Sandbox();
  whole = openProject({ path: box.folder, env: box.environment() });
  bare = { ...whole, capabilities: [] };
});
afterEach(async () => {
  await whole.stores.close();
  box.remove();
});

describe("a build without capabilities", () => {
  it("saves and looks, and shows no runs", async () => {
    await goal(bare, { goal: "Ship the login page" });
    await startRun(await openRuns(whole, "write"), ASKING, { runId: "r" });
    const seen = async (project: Project) => ({
      waiting: (await status(project, { trail: "main" })).status.runs_waiting.map(({ trail }) => trail),
      unfinished: (await unfinished(project)).map(({ name }) => name).toSorted(),
      runs: await completions(project, { what: "runs" }),
      steps: await completions(project, { what: "steps", run: "r" }),
    });
    expect(await seen(whole)).toEqual({
      waiting: ["run/r"],
      unfinished: ["main", "r"],
      runs: ["r"],
      steps: ["ask"],
    });
    expect(await seen(bare)).toEqual({ waiting: [], unfinished: ["main"], runs: [], steps: [] });
    expect((await now(bare, {})).checkpoint?.trail).toBe("main");
  });

  it("keeps a pipeline of another tool as plain work", async () => {
    const folder = join(box.folder, "artifacts", "20251023_093456");
    const file = join(folder, "checkpoint.json");
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, JSON.stringify(PIPELINE));
    const bring = (project: Project) =>
      importFile(project, {
        source: "checkpoint.json",
        read: () => createReadStream(file),
        folder,
        trust: false,
      });
    expect(await bring(bare)).toMatchObject({ run: null, checkpoint: { trail: "workflow/20251023_093456" } });
    expect(await bring(whole)).toMatchObject({ run: "20251023_093456" });
  });

  it("refuses a shared store, and its runs, instead of working without what they need", async () => {
    const shared = { url: "postgres://127.0.0.1:1/none", variable: "CHECKPOINT_STORE" };
    const there = { ...bare, shared };
    const missing = (capability: string) => ({ code: "missing-dependency", details: { capability } });
    await expect(goal(there, { goal: "Ship it" })).rejects.toMatchObject(missing("postgres"));
    await expect(elsewhereOf(there)).rejects.toMatchObject(missing("workers"));
    expect(await elsewhereOf(bare)).toBeUndefined();
  });
});
