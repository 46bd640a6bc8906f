import type { Context } from "../context.ts";
import { cachedReader, diffCheckpoints } from "../../checkpoints/diff/diff-checkpoints.ts";
import { findPair } from "../../checkpoints/diff/find-pair.ts";
import { isEmpty } from "../../checkpoints/diff/work-diff.ts";
import { openToRead } from "../open.ts";
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
  const { cairn, trail } = await openToRead(context, options, output);
  const { from, to } = await findPair(cairn.store, trail.name, options);
  const changes = await diffCheckpoints(from, to, await cachedReader(cairn.store, [from.root, to.root]));
  const { yellow } = output.style;
  output.result({ from: from.info, to: to.info, changed: !isEmpty(changes), ...changes }, () => {
    const title = `${yellow(from.info.checkpoint_id)} → ${yellow(to.info.checkpoint_id)}`;
    return `${title}\n${diffText(changes, output.style) || "Nothing changed."}`;
  });
  return options.exitCode && !isEmpty(changes) ? 1 : 0;
}
