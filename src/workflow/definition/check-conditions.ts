import { ConditionError, parseCondition, type Expression } from "./condition.ts";
import { namesIn } from "./evaluate.ts";
import { ancestorsOf, type PlaceOf } from "./graph.ts";
import { closest, type Problems } from "./problems.ts";
import type { Input, Step } from "./types.ts";

interface Known {
  readonly steps: readonly Step[];
  readonly inputs: Readonly<Record<string, Input>>;
}

/** Every `if` must be readable, and every name in it must have a value by the time it is asked. */
export function checkConditions(known: Known, placeOf: PlaceOf, problems: Problems): void {
  for (const step of known.steps) {
    for (const { text, scope } of step.conditions ?? []) {
      const report = (message: string, remedy: string) =>
        problems.add([...placeOf(step.id), "if"], message, remedy);
      const expression = parse(text, report);
      if (expression === undefined) continue;
      for (const path of namesIn(expression)) checkName(path, { step, scope, known, report });
    }
  }
}

type Report = (message: string, remedy: string) => void;

function parse(text: string, report: Report): Expression | undefined {
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

interface Place {
  readonly step: Step;
  readonly scope: string;
  readonly known: Known;
  readonly report: Report;
}

function checkName([root, name, ...rest]: readonly string[], { step, scope, known, report }: Place): void {
  if (root === "inputs") {
    const inputs = { ...known.inputs, ...step.inputs };
    if (name === undefined || !Object.hasOwn(inputs, name)) {
      const meant = closest(name ?? "", Object.keys(inputs));
      return report(
        `There is no input "${name ?? ""}".`,
        meant === undefined
          ? `Declare it: inputs: { ${name}: { required: true } }`
          : `Did you mean "${meant}"?`,
      );
    }
    // What is recorded of a condition must not tell a secret, not even by its outcome.
    if (known.inputs[name]?.secret)
      report(
        `"${name}" is secret, and a condition would record something of it.`,
        "Use an input that is not secret",
      );
    return;
  }
  if (root !== "results" && root !== "steps") {
    return report(
      `"${root}" is not known in a condition.`,
      "Use inputs.NAME, results.STEP.FIELD or steps.STEP.status",
    );
  }
  const id = [`${scope}${name}`, name].find((id) => known.steps.some((other) => other.id === id));
  if (id === undefined)
    return report(
      `There is no step "${name}".`,
      `The steps are ${known.steps
        .slice(0, 10)
        .map((other) => other.id)
        .join(", ")}`,
    );
  if (root === "steps" && rest.join(".") !== "status")
    report(`A step has only a status here.`, `Write steps.${name}.status, or results.${name}.FIELD`);
  if (!ancestorsOf([step.id], known.steps).has(id))
    report(`"${step.id}" asks about "${name}", but does not wait for it.`, `Add it: needs: [${name}]`);
}
