import type { Path } from "../../objects/json.ts";
import { checkConditions } from "./check-conditions.ts";
import { checkSource } from "./check-source.ts";
import { expand } from "./expand.ts";
import { checkGraph } from "./graph.ts";
import { Problems } from "./problems.ts";
import type { Input, InputSource, Workflow, WorkflowSource } from "./types.ts";

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

export interface Origin {
  readonly file?: string;
  /** Reads the workflow that a step names; it must report what goes wrong. */
  readonly nested?: (file: string, path: Path) => WorkflowSource | undefined;
}

/** Checks what was written and expands it. */
export function toWorkflow(source: unknown, problems: Problems, { file, nested }: Origin = {}): Workflow {
  if (!checkSource(source, problems)) {
    problems.throwIfAny();
    throw new TypeError("A definition was refused without a reason.");
  }
  const { steps, functions, places } = expand(source, {
    scope: "",
    needs: [],
    conditions: [],
    env: {},
    inputs: {},
    declared: new Set(Object.keys(source.inputs ?? {})),
    path: [],
    report: (path, message, remedy) => problems.add(path, message, remedy),
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
    Object.entries(source.inputs ?? {}).map(([name, input]) => [name, inputOf(input)]),
  );
  const placeOf = (id: string) => places.get(id) ?? [];
  checkGraph(steps, placeOf, problems);
  problems.throwIfAny();
  checkConditions({ steps, inputs }, placeOf, problems);
  problems.throwIfAny();
  return {
    name: source.name,
    ...(source.about !== undefined && { about: source.about }),
    ...(file !== undefined && { file }),
    inputs,
    ...(source.jobs !== undefined && { jobs: source.jobs }),
    steps,
    functions,
  };
}

function inputOf(source: InputSource | null): Input {
  const { required, secret = false, about, default: fallback } = source ?? {};
  return {
    required: required ?? (secret && fallback === undefined),
    secret,
    ...(fallback !== undefined && { default: String(fallback) }),
    ...(about !== undefined && { about }),
  };
}
