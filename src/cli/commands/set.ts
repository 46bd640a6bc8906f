import { asText, describe } from "../../text/untrusted.ts";
import { oneLine } from "../../text/visible.ts";
import type { Json } from "../../objects/json.ts";
import { setVariable, unsetVariable } from "../../project/work/variables.ts";
import type { CommandOf } from "../command.ts";
import type { WORK } from "../table/work.ts";

/** Set a variable, which stays until unset */
export const set: CommandOf<typeof WORK.set> = async (context, options, output) => {
  const result = await setVariable(context.project, options);
  output.result(result, oneLine(`${result.key} = ${inWords(result.value)}`));
};

/** Remove a variable */
export const unset: CommandOf<typeof WORK.unset> = async (context, options, output) => {
  const result = await unsetVariable(context.project, options);
  output.result(result, oneLine(`${result.key} is gone (was ${inWords(result.value)})`));
};

function inWords(value: Json): string {
  return asText(value) ?? describe(value, 200);
}
