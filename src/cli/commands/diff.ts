import * as verbs from "../../project/looking/diff.ts";
import type { CommandOf } from "../command.ts";
import type { SAVING } from "../table/saving.ts";
import { diffText } from "../view/diff.ts";

/** Show what changed between two checkpoints */
export const diff: CommandOf<typeof SAVING.diff> = async (context, options, output) => {
  const { from, to, changed, changes } = await verbs.diff(context.project, options);
  const { yellow } = output.style;
  output.result({ from, to, changed, ...changes }, () => {
    const title = `${yellow(from.checkpoint_id)} → ${yellow(to.checkpoint_id)}`;
    return `${title}\n${diffText(changes, output.style) || "Nothing changed."}`;
  });
  return options.exitCode && changed ? 1 : 0;
};
