import { checkConditions } from "./check-conditions.ts";
import { checkLimit } from "./limit.ts";
import { checkSource, readableParts } from "./check-source.ts";
import { defined } from "../../../work/yaml/defined.ts";
import { expand, type ReadNested } from "./expand.ts";
import { checkGraph, type PathOfStep } from "./graph.ts";
import { Problems, refusedFor } from "../../../work/yaml/problems.ts";
import type { InputSource, Workflow, WorkflowInput, WorkflowSource } from "./types.ts";

/**
 * A workflow in TypeScript: the same fields as in YAML, and steps may be functions whose results are durable.
 * Throws `usage`, naming everything that is wrong.
 *
 * @example
 * const release = defineWorkflow({
 *   name: "release",
 *   steps: [
 *     { id: "count", run: async ({ inputs }) => ({ words: await countWords(inputs.file) }) },
 *     { id: "publish", approve: "Publish it?" },
 *   ],
 * });
 */
export function defineWorkflow(source: WorkflowSource): Workflow {
  return toWorkflow(source, new Problems());
}

export function toWorkflow(
  source: unknown,
  problems: Problems,
  { file, nested }: { readonly file?: string | undefined; readonly nested?: ReadNested | undefined } = {},
): Workflow {
  const isSound = checkSource(source, problems);
  // What can be told apart is checked further, so that one look shows all mistakes.
  const readable = isSound ? source : readableParts(source);
  if (readable === undefined) throw refusedFor(problems.all);
  const { steps, functions, paths } = expand(readable, {
    scope: "",
    needs: [],
    conditions: [],
    env: {},
    inputs: {},
    declared: new Set(Object.keys(readable.inputs ?? {})),
    path: [],
    problems,
    nested:
      nested ??
      ((_, path) =>
        problems.add(
          path,
          "A workflow can only be nested in a file.",
          "Write it in YAML, or put its steps here",
        )),
  });
  const inputs = Object.fromEntries(
    Object.entries(readable.inputs ?? {}).map(([name, input]) => [name, inputOf(input)]),
  );
  const pathOf: PathOfStep = (step) => paths.get(step) ?? [];
  const isGraph = checkGraph(steps, pathOf, problems);
  checkConditions({ steps, inputs, isGraph }, pathOf, problems);
  checkLimit(readable, problems);
  problems.throwIfAny();
  const { name, about, jobs, limit } = readable;
  return defined({ name, about, file, inputs, jobs, limit, steps, functions });
}

function inputOf(source: InputSource | null): WorkflowInput {
  const { required, secret = false, about, default: fallback } = source ?? {};
  return {
    required: required ?? (secret && fallback === undefined),
    secret,
    ...(fallback !== undefined && { default: String(fallback) }),
    ...defined({ about }),
  };
}
