import { asText, describe } from "../../text/untrusted.ts";
import { oneLine } from "../../text/visible.ts";
import type { Json } from "../../objects/json.ts";
import { setVariable, unsetVariable } from "../../project/work/variables.ts";
import type { Context } from "../context.ts";
import { projectOf } from "../door.ts";
import type { Output } from "../output.ts";
import type { OptionsOf } from "../spec.ts";
import type { WORK } from "../table/work.ts";

/** Set a variable, which stays until unset */
export async function set(
  context: Context,
  options: OptionsOf<typeof WORK.set>,
  output: Output,
): Promise<void> {
  const result = await setVariable(projectOf(context, options, output), options);
  output.result(result, oneLine(`${result.key} = ${inWords(result.value)}`));
}

/** Remove a variable */
export async function unset(
  context: Context,
  options: OptionsOf<typeof WORK.unset>,
  output: Output,
): Promise<void> {
  const result = await unsetVariable(projectOf(context, options, output), options);
  output.result(result, oneLine(`${result.key} is gone (was ${inWords(result.value)})`));
}

function inWords(value: Json): string {
  return asText(value) ?? describe(value, 200);
}
