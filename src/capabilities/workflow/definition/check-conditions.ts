import { ConditionError, parseCondition, type Condition } from "./condition.ts";
import { ancestorsOf, type PathOfStep } from "./graph.ts";
import { didYouMean, type Problems } from "../../../work/yaml/problems.ts";
import type { Step, Workflow } from "./types.ts";

type ReportCondition = (message: string, remedy: string) => void;

interface CheckedWorkflow extends Pick<Workflow, "steps" | "inputs"> {
  /** Without a sound graph nobody knows what a step waits for. */
  readonly isGraph: boolean;
}

/** Every `if` must be readable, and every name in it must have a value by the time it is evaluated. */
export function checkConditions(workflow: CheckedWorkflow, pathOf: PathOfStep, problems: Problems): void {
  for (const step of workflow.steps) {
    const report: ReportCondition = (message, remedy) =>
      problems.add([...pathOf(step), "if"], message, remedy);
    for (const { text, scope } of step.conditions ?? []) {
      for (const [root, ...names] of parse(text, report)?.names ?? []) {
        if (root === "inputs") checkInputName(names[0] ?? "", step, workflow, report);
        else if (root === "results" || root === "steps")
          checkStepName([root, ...names], { step, scope, workflow, report });
        else
          report(
            `"${root}" is not known in a condition.`,
            "Use inputs.NAME, results.STEP.FIELD or steps.STEP.status",
          );
      }
    }
  }
}

function parse(text: string, report: ReportCondition): Condition | undefined {
  try {
    return parseCondition(text);
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    report(
      `The condition cannot be read: ${error.message}.\n  ${text}\n  ${" ".repeat(error.offset)}^`,
      'Compare names and values, joined by and, or, not: inputs.kind != "docs"',
    );
    return undefined;
  }
}

function checkInputName(
  name: string,
  step: Step,
  { inputs }: Pick<Workflow, "inputs">,
  report: ReportCondition,
): void {
  const known = Object.keys({ ...inputs, ...step.inputs });
  if (!known.includes(name))
    report(
      `There is no input "${name}".`,
      didYouMean(name, known, `Declare it: inputs: { ${name}: { required: true } }`),
    );
  // The recorded outcome of a condition would reveal something about the secret.
  else if (inputs[name]?.secret)
    report(
      `"${name}" is secret, and a condition would record something of it.`,
      "Use an input that is not secret",
    );
}

interface ConditionSite {
  readonly step: Step;
  readonly scope: string;
  readonly workflow: CheckedWorkflow;
  readonly report: ReportCondition;
}

function checkStepName([root, name, ...rest]: readonly string[], site: ConditionSite): void {
  const { step, scope, workflow, report } = site;
  const ids = workflow.steps.map((other) => other.id);
  const id = [`${scope}${name}`, `${name}`].find((candidate) => ids.includes(candidate));
  if (id === undefined)
    return report(`There is no step "${name}".`, `The steps are ${ids.slice(0, 10).join(", ")}`);
  if (root === "steps" && rest.join(".") !== "status")
    report(`A step has only a status here.`, `Write steps.${name}.status, or results.${name}.FIELD`);
  if (workflow.isGraph && !ancestorsOf(step.id, workflow.steps).has(id))
    report(`"${step.id}" asks about "${name}", but does not wait for it.`, `Add it: needs: [${name}]`);
}
