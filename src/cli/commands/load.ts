import { asRecord } from "../../handoff/untrusted.ts";
import type { Context } from "../context.ts";
import { estimateTokens } from "../estimate-tokens.ts";
import { openToRead } from "../open.ts";
import type { Output } from "../output.ts";
import type { OptionsOf } from "../spec.ts";
import type { SAVING } from "../table/saving.ts";
import { checkpointDocument, checkpointText } from "../view/checkpoint.ts";

/** Show a checkpoint: the newest, or the one with this id */
export async function load(
  context: Context,
  options: OptionsOf<typeof SAVING.load>,
  output: Output,
): Promise<void> {
  const { trail } = await openToRead(context, options, output);
  const { state, ...info } = await trail.load(options.id);
  if (options.env) return output.raw(shellLines(state.variables));
  const tokens = output.json ? await estimateTokens(state) : undefined;
  output.result(checkpointDocument(info, state, tokens), () =>
    checkpointText(info, state, { now: context.now(), output }),
  );
}

/**
 * Variables as lines that any shell can evaluate. Values stand in single quotes, where nothing has a meaning;
 * names become upper case, with `_` for everything that a shell does not allow.
 */
function shellLines(variables: unknown): string {
  const lines = Object.entries(asRecord(variables) ?? {}).map(([key, value]) => {
    const name = key.toUpperCase().replaceAll(/[^A-Z0-9_]/g, "_");
    const text = typeof value === "string" ? value : JSON.stringify(value);
    // A NUL cannot be in a shell's variable, and would end the line early.
    return `export CKPT_${name}='${text.replaceAll("\0", "").replaceAll("'", String.raw`'\''`)}'\n`;
  });
  return lines.join("");
}
