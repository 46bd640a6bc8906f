import type { Checkpoint } from "../../../core/trails/document.ts";
import type { WorkState } from "../../../work/state/work-state.ts";
import { handoff } from "../../../work/handoff/handoff.ts";
import { setOwn, type Json } from "../../../core/objects/json.ts";
import type { Step } from "../definition/types.ts";
import type { WorkflowContext } from "../context.ts";
import { ancestorsOf } from "../definition/graph.ts";
import { stateOf, type Run, type RunDocument } from "../run/run-state.ts";

/** The handoff for a step's agent: what it should know before it starts. */
export async function briefing(
  { cairn }: WorkflowContext,
  { state: document, ...checkpoint }: Checkpoint<RunDocument>,
  step: Step,
): Promise<string> {
  const { key } = await cairn.store.identity();
  const { run } = document;
  const about = step.about === undefined ? "" : `: ${step.about}`;
  const state = {
    ...document,
    next_action: `Do step "${step.id}" of the workflow "${run.workflow}"${step.agent === undefined ? "" : ` as ${step.agent}`}${about}.`,
    variables: { ...document.variables, ...resultsBefore(run, step) },
    files_touched: Object.keys(run.artifacts),
    // Not the whole run: its bookkeeping is twenty times as long, and tells an agent nothing.
    run: summary(run),
  } as unknown as WorkState;
  const role = [step.agent, step.phase, step.about ?? step.id].filter(Boolean).join(" ");
  const input = { checkpoint, state, key, resumeCommand: `checkpoint resume ${run.id}` };
  return handoff(input, { for: role, level: "standard", shrink: true, audience: "subagent" }).text;
}

function resultsBefore(run: Run, step: Step): Record<string, Json> {
  const results: Record<string, Json> = {};
  for (const id of ancestorsOf(step.id, run.definition)) {
    const { result = null } = stateOf(run, id);
    if (result !== null) setOwn(results, `result of ${id}`, result);
  }
  return results;
}

function summary(run: Run): Json {
  const by = Map.groupBy(run.definition, (step) => stateOf(run, step.id).status);
  const groups = [...by].map(([status, steps]): [string, Json] => [
    status,
    steps.map((step) => step.id).slice(0, 20),
  ]);
  return { workflow: run.workflow, status: run.status, id: run.id, ...Object.fromEntries(groups) };
}
