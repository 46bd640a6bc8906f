import { CheckpointError } from "../../../core/errors.ts";
import type { Json } from "../../../core/objects/json.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { readWorkState } from "../../../work/state/work-state.ts";
import * as verbs from "../../../work/project/reading/load.ts";
import type { CommandOf } from "../command.ts";
import type { Output } from "../../../work/terminal/output.ts";
import { checkpointDocument, checkpointText } from "../../../work/terminal/checkpoint.ts";

export const load: CommandOf<"load"> = async (context, options, output) => {
  if (options.env && output.json) throw twoForms();
  const { state, ...info } = await verbs.load(context.project, options);
  if (options.env) return output.raw(shellLines(readWorkState(state).variables, output));
  if (output.json) return output.result(await checkpointDocument(info, state), "");
  output.result({}, checkpointText(info, state, { now: context.now(), output }));
};

/**
 * Variables as lines that any shell can evaluate. Values stand in single quotes, where nothing has a meaning;
 * names become upper case, with `_` for everything that a shell does not allow.
 */
function shellLines(variables: Readonly<Record<string, Json>>, output: Output): string {
  const keys = new Map<string, string>();
  const lines = Object.entries(variables).map(([key, value]) => {
    const name = `CKPT_${key.toUpperCase().replaceAll(/[^A-Z0-9_]/g, "_")}`;
    const other = keys.get(name);
    if (other !== undefined) {
      output.warning(`${oneLine(other)} and ${oneLine(key)} are both ${name}: the second one is used.`);
    }
    keys.set(name, key);
    const text = typeof value === "string" ? value : JSON.stringify(value);
    // A NUL cannot be in a shell's variable, and would end the line early.
    return `export ${name}='${text.replaceAll("\0", "").replaceAll("'", String.raw`'\''`)}'\n`;
  });
  return lines.join("");
}

function twoForms(): CheckpointError {
  return new CheckpointError("usage", "--env prints lines for a shell, and --json a document: choose one.", {
    hint: "checkpoint load --json",
  });
}
