import * as verbs from "../../project/looking/diff.ts";
import type { CommandOf } from "../command.ts";
import { diffText } from "../view/diff.ts";

export const diff: CommandOf<"diff"> = async (context, options, output) => {
  const { from, to, changed, changes } = await verbs.diff(context.project, options);
  const { yellow } = output.style;
  output.result({ from, to, changed, ...changes }, () => {
    const title = `${yellow(from.checkpoint_id)} → ${yellow(to.checkpoint_id)}`;
    return `${title}\n${diffText(changes, output.style) || "Nothing changed."}`;
  });
  return options.exitCode && changed ? 1 : 0;
};
