import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Step, StepFunction, Workflow } from "../workflow/definition/types.ts";

/** The same workflow, with stand-ins for agents, which write what their steps declare, and for what waits for a signal. */
export function withStandIns(
  workflow: Workflow,
  { areAgentsPlayed }: { readonly areAgentsPlayed: boolean },
): Workflow {
  const isPlayed = ({ agent, reviewer, kind }: Step) =>
    kind === "signal" ||
    (areAgentsPlayed && kind === "command" && (agent !== undefined || reviewer !== undefined));
  const played = workflow.steps.filter(isPlayed);
  return {
    ...workflow,
    steps: workflow.steps.map((step) => {
      const { run: _run, signal: _signal, ...rest } = step;
      return isPlayed(step) ? { ...rest, kind: "function" } : step;
    }),
    functions: new Map([
      ...workflow.functions,
      ...played.map((step): [string, StepFunction] => [step.id, standInFor(step)]),
    ]),
  };
}

function standInFor(step: Step): StepFunction {
  return ({ root }) => {
    for (const pattern of step.outputs ?? []) {
      const path = join(root, pattern.replaceAll(/\*+/g, "stand-in"));
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(`${path}.new`, `${JSON.stringify({ step: step.id, by: "the stand-in" })}\n`);
      renameSync(`${path}.new`, path);
    }
    return step.reviewer === undefined ? { summary: `${step.id} is done` } : { verdict: "approve" };
  };
}
