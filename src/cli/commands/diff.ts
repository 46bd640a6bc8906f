import * as verbs from "../../project/looking/diff.ts";
import type { Context } from "../context.ts";
import { projectOf } from "../door.ts";
import type { Output } from "../output.ts";
import type { OptionsOf } from "../spec.ts";
import type { SAVING } from "../table/saving.ts";
import { diffText } from "../view/diff.ts";

/** Show what changed between two checkpoints */
export async function diff(
  context: Context,
  options: OptionsOf<typeof SAVING.diff>,
  output: Output,
): Promise<number> {
  const { from, to, changed, changes } = await verbs.diff(projectOf(context, {}, output), options);
  const { yellow } = output.style;
  output.result({ from, to, changed, ...changes }, () => {
    const title = `${yellow(from.checkpoint_id)} → ${yellow(to.checkpoint_id)}`;
    return `${title}\n${diffText(changes, output.style) || "Nothing changed."}`;
  });
  return options.exitCode && changed ? 1 : 0;
}
