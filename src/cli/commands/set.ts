import { CheckpointError } from "../../errors.ts";
import { asText, describe } from "../../text/untrusted.ts";
import { oneLine } from "../../text/visible.ts";
import { setOwn } from "../../objects/json.ts";
import type { Context } from "../context.ts";
import { edit, meaningful } from "../edit.ts";
import type { Output } from "../output.ts";
import type { OptionsOf } from "../spec.ts";
import type { WORK } from "../table/work.ts";

/** Set a variable, which stays until unset */
export async function set(
  context: Context,
  options: OptionsOf<typeof WORK.set>,
  output: Output,
): Promise<void> {
  const key = meaningful(options.key, "The variable's name");
  let stored: [string, unknown] | undefined;
  const { checkpoint } = await edit(context, options, output, {
    fresh: { variables: Object.fromEntries([[key, options.value]]) },
    change: (state, { variables }) => {
      for (const [name, value] of Object.entries(variables)) {
        setOwn(state.variables, name, value);
        stored = [name, value];
      }
    },
  });
  const [name, value] = stored ?? [key, ""];
  output.result(
    { checkpoint, key: name, value },
    oneLine(`${name} = ${asText(value) ?? describe(value, 200)}`),
  );
}

/** Remove a variable */
export async function unset(
  context: Context,
  options: OptionsOf<typeof WORK.unset>,
  output: Output,
): Promise<void> {
  const { key } = options;
  let value: unknown;
  const { checkpoint } = await edit(context, { ...options, mustExist: true }, output, {
    fresh: {},
    change: ({ variables }) => {
      if (!Object.hasOwn(variables, key)) throw noSuchVariable(key, Object.keys(variables));
      value = variables[key];
      delete variables[key];
    },
  });
  output.result(
    { checkpoint, key, value },
    oneLine(`${key} is gone (was ${asText(value) ?? describe(value, 200)})`),
  );
}

function noSuchVariable(key: string, known: readonly string[]): CheckpointError {
  return new CheckpointError("not-found", `There is no variable "${key}".`, {
    hint: "checkpoint load",
    details: { typed: key, known },
  });
}
