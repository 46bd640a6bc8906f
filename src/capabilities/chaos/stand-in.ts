import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Step, StepFunction, Workflow } from "../workflow/definition/types.ts";

/** The same workflow, whose agents are stand-ins that write what their steps declare. */
export function withStandIns(workflow: Workflow): Workflow {
  const isAgents = ({ agent, reviewer, kind }: Step) =>
    kind === "command" && (agent !== undefined || reviewer !== undefined);
  const played = workflow.steps.filter(isAgents);
  return {
    ...workflow,
    steps: workflow.steps.map((step) => (isAgents(step) ? asFunction(step) : step)),
    functions: new Map([
      ...workflow.functions,
      ...played.map((step): [string, StepFunction] => [step.id, standInFor(step)]),
    ]),
  };
}

function asFunction(step: Step): Step {
  const { run: _run, ...rest } = step;
  return { ...rest, kind: "function" };
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
