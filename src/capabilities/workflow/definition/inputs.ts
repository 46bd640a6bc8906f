import { CheckpointError } from "../../../core/errors.ts";
import { didYouMean } from "../../../work/yaml/problems.ts";
import type { Workflow } from "./types.ts";

/** Values of a workflow's inputs: what may be stored, and what must not. */
export interface InputValues {
  readonly plain: Readonly<Record<string, string>>;
  readonly secret: Readonly<Record<string, string>>;
}

/** Checks the values given against what the workflow declares. Throws `usage` for unknown and missing ones. */
export function checkInputs(
  { name, inputs }: Pick<Workflow, "name" | "inputs">,
  given: Readonly<Record<string, string>>,
): InputValues {
  for (const key of Object.keys(given)) {
    if (Object.hasOwn(inputs, key)) continue;
    const known = Object.keys(inputs);
    const all = known.length === 0 ? "It has no inputs at all." : `Its inputs are ${known.join(", ")}.`;
    throw new CheckpointError("usage", `Workflow "${name}" has no input "${key}".`, {
      hint: didYouMean(key, known, all),
      details: { workflow: name, input: key },
    });
  }
  const plain: Record<string, string> = {};
  const secret: Record<string, string> = {};
  const missing: string[] = [];
  for (const [key, input] of Object.entries(inputs)) {
    const value = given[key] ?? input.default;
    if (value !== undefined) (input.secret ? secret : plain)[key] = value;
    else if (input.required) missing.push(key);
  }
  if (missing.length > 0) throw missingInputs(name, missing);
  return { plain, secret };
}

/** What a run records of its inputs: only the names of secret ones, and which of these have their default. */
export function recordedInputs({ plain, secret }: InputValues, given: Readonly<Record<string, string>>) {
  const secret_inputs = Object.keys(secret);
  const secret_defaults = secret_inputs.filter((name) => given[name] === undefined);
  return { inputs: plain, secret_inputs, ...(secret_defaults.length > 0 && { secret_defaults }) };
}

/** The values of secret inputs that a run took from its definition, as it is now. Nobody is asked for these. */
export function secretDefaults(
  names: readonly string[] = [],
  { inputs }: Pick<Workflow, "inputs"> = { inputs: {} },
): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = Object.hasOwn(inputs, name) ? inputs[name]!.default : undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** The inputs that a resume has to ask for again. */
export function secretInputs({ inputs }: Pick<Workflow, "inputs">): string[] {
  return Object.entries(inputs).flatMap(([name, { secret }]) => (secret ? [name] : []));
}

function missingInputs(workflow: string, missing: readonly string[]): CheckpointError {
  const names = missing.map((name) => `"${name}"`).join(", ");
  return new CheckpointError("usage", `Workflow "${workflow}" needs a value for ${names}.`, {
    hint: missing.map((name) => `--input ${name}=…`).join(" "),
    details: { workflow, missing },
  });
}
