import { CheckpointError } from "../../../core/errors.ts";
import { checkInputs, type InputValues, secretInputs } from "../definition/inputs.ts";
import type { Workflow } from "../definition/types.ts";
import { inputVariable } from "../engine/step-environment.ts";
import type { Context } from "../../../work/terminal/context.ts";
import type { Output } from "../../../work/terminal/output.ts";
import { askLine } from "../../../work/terminal/ask.ts";

export type GivenInputs = Readonly<Record<string, string>>;

/** `--input KEY=VALUE` as it was typed; of several with one key the last counts. */
export function givenInputs(typed: readonly string[]): GivenInputs {
  return Object.fromEntries(
    typed.map((text) => {
      const at = text.indexOf("=");
      if (at <= 0) throw notAnInput(text);
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}

function notAnInput(text: string): CheckpointError {
  return new CheckpointError("usage", `--input: "${text}" has no name and value.`, {
    hint: "--input KEY=VALUE, as in --input feature=login",
  });
}

/** Checks what was typed, before anybody is asked for a secret: those may still be missing. */
export function checkTyped(workflow: Workflow, given: GivenInputs): InputValues["plain"] {
  const unasked = Object.fromEntries(secretsOf(workflow).required.map((name) => [name, ""]));
  return checkInputs(workflow, { ...unasked, ...given }).plain;
}

/** The secret inputs of a workflow, and those among them that it cannot do without. */
export function secretsOf(workflow: Workflow): { names: string[]; required: string[] } {
  const names = secretInputs(workflow);
  const required = names.filter((name) => {
    const input = workflow.inputs[name]!;
    return input.required && input.default === undefined;
  });
  return { names, required };
}

/**
 * Adds the values of secret inputs that were not typed: from the environment, under the name that steps know them
 * by, else from the user at the terminal, without echo.
 */
export async function withSecrets(
  context: Context,
  { given, names, required }: { given: GivenInputs; names: readonly string[]; required: readonly string[] },
  output: Output,
): Promise<Record<string, string>> {
  const values: Record<string, string> = { ...given };
  const typed = names.filter((name) => given[name] !== undefined);
  if (typed.length > 0) {
    const variable = inputVariable(typed[0]!);
    output.warning(
      `A secret in a command line can be read by others, and stays in the shell's history. Set $${variable}, or leave it out to be asked.`,
    );
  }
  for (const name of names) {
    if (values[name] !== undefined) continue;
    const found = context.env[inputVariable(name)];
    if (found) values[name] = found;
    else if (required.includes(name) && context.isInteractive)
      values[name] = await askSecret(context, name, output);
  }
  const missing = required.filter((name) => values[name] === undefined);
  if (missing.length > 0) throw secretsMissing(missing);
  return values;
}

async function askSecret(context: Context, name: string, output: Output): Promise<string> {
  const value = await askLine(context, output, `${name} (not shown): `, { isSecret: true });
  if (value) return value;
  throw secretsMissing([name]);
}

function secretsMissing(missing: readonly string[]): CheckpointError {
  const names = missing.map((name) => `"${name}"`).join(", ");
  const variables = missing.map((name) => `$${inputVariable(name)}`).join(", ");
  return new CheckpointError("usage", `The secret ${names} is needed; it is never stored.`, {
    hint: `Set ${variables}, or run it in a terminal to be asked.`,
    details: { missing },
  });
}
