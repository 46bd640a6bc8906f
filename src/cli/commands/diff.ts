import type { Context } from "../context.ts";
import { explainDiff } from "../diff/diff-checkpoints.ts";
import { isEmpty } from "../diff/work-diff.ts";
import { openToRead } from "../open.ts";
import type { Output } from "../output.ts";
import type { OptionsOf } from "../spec.ts";
import type { SAVING } from "../table/saving.ts";
import { diffText } from "../view/diff.ts";

/** Show what changed between two checkpoints */
export async function diff(context: Context, options: OptionsOf<typeof SAVING.diff>, output: Output): Promise<number> {
  const { cairn, trail } = await openToRead(context, options, output);
  const plain = await trail.diff(options.from, options.to);
  const changes = await explainDiff(cairn, plain);
  const { from, to } = plain;
  const { yellow } = output.style;
  output.result({ from, to, changed: !isEmpty(changes), ...changes }, () => {
    const title = `${yellow(from.checkpoint_id)} → ${yellow(to.checkpoint_id)}`;
    return `${title}\n${diffText(changes, output.style) || "Nothing changed."}`;
  });
  return options.exitCode && !isEmpty(changes) ? 1 : 0;
}
