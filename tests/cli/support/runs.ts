import { join } from "node:path";
import { openCairn } from "../../../src/work/state/cairn.ts";
import type { WorkflowContext } from "../../../src/capabilities/workflow/context.ts";
import { defineWorkflow } from "../../../src/capabilities/workflow/definition/define-workflow.ts";
import type { WorkflowSource } from "../../../src/capabilities/workflow/definition/types.ts";
import { documentOf } from "../../../src/capabilities/workflow/run/work-document.ts";
import { startRun, type StartOptions } from "../../../src/capabilities/workflow/runner/start-run.ts";
import { openRunTrail } from "../../../src/capabilities/workflow/runner/run-journal.ts";
import { readRun } from "../../../src/capabilities/workflow/runner/examine-run.ts";
import type { Sandbox } from "./sandbox.ts";

/** A handle on the runs of a sandbox, with a clock that stands still. */
async function inProject<Result>(
  box: Sandbox,
  work: (context: WorkflowContext) => Promise<Result>,
  now = "2026-01-23T12:00:00.000Z",
): Promise<Result> {
  const folder = join(box.folder, ".cairn");
  const cairn = await openCairn({ path: folder, now: () => new Date(now) });
  const kill = (pid: number, signal: NodeJS.Signals) => void process.kill(pid, signal);
  const context = {
    cairn,
    root: box.folder,
    folder,
    env: process.env,
    now: () => new Date(now),
    pid: 4711,
    host: "desk",
    kill,
  };
  try {
    return await work(context);
  } finally {
    await cairn.close();
  }
}

/** Runs a workflow in the sandbox, as far as it goes by itself. */
export async function makeRun(
  box: Sandbox,
  source: WorkflowSource,
  options: StartOptions & { readonly now?: string } = {},
): Promise<void> {
  await inProject(box, (context) => startRun(context, defineWorkflow(source), options), options.now);
}

/** Makes a run look as its runner left it when it was killed with `step` under way. */
export async function killIn(box: Sandbox, id: string, step: string): Promise<void> {
  await inProject(box, async (context) => {
    const run = await readRun(context, id);
    const trail = openRunTrail(context, id);
    const { state } = await trail.load();
    const under = {
      status: "running" as const,
      attempt: 2,
      failures: 0,
      crashes: 1,
      started_at: run.updated_at,
    };
    const killed = {
      ...run,
      status: "running" as const,
      steps: [...run.steps.filter(({ id }) => id !== step), { id: step, ...under }],
    };
    await trail.commit(documentOf(killed, state), { trigger: "step", notes: `${step}: attempt 2` });
  });
}
