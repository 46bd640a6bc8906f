import * as verbs from "../../project/history/trails.ts";
import { CheckpointError } from "../../errors.ts";
import { oneLine } from "../../text/visible.ts";
import { table } from "../columns.ts";
import type { CommandOf } from "../command.ts";
import type { HISTORY } from "../table/keeping.ts";
import { ago } from "../view/time.ts";
import { count } from "../view/words.ts";
import { askYesNo } from "../workflow/ask.ts";

/** List the trails, the one that moved last first */
export const trails: CommandOf<typeof HISTORY.trails> = async (context, { prefix }, output) => {
  const found = await verbs.trails(context.project, { prefix });
  if (found.length === 0) output.message("No trails yet: checkpoint now starts one.");
  const { style } = output;
  output.result({ trails: found }, () => {
    const rows = found.map(({ name, is_current, checkpoints, head }) => [
      `${is_current ? "*" : " "} ${style.cyan(oneLine(name))}`,
      count(checkpoints, "checkpoint"),
      head === null ? style.red("damaged") : ago(head.created_at, context.now()),
      oneLine(head?.notes ?? ""),
    ]);
    return rows.length === 0 ? "" : table(rows, output.columns);
  });
};

/** Give a trail another name */
export const trailsRename: CommandOf<(typeof HISTORY)["trails rename"]> = async (
  context,
  options,
  output,
) => {
  const result = await verbs.trailRename(context.project, options);
  output.result(result, `${result.from} is now ${result.to}, with all its checkpoints.`);
};

/** Delete a trail with its checkpoints, which cannot be undone */
export const trailsDelete: CommandOf<(typeof HISTORY)["trails delete"]> = async (
  context,
  options,
  output,
) => {
  const { name, yes } = options;
  const found = (await verbs.trails(context.project, { prefix: name })).find((trail) => trail.name === name);
  const what = `${oneLine(name)} with ${count(found?.checkpoints ?? 0, "checkpoint")}`;
  if (found !== undefined && !yes) {
    if (!context.isInteractive) throw needsYes(name, what);
    const isSure = await askYesNo(context, output, `Delete ${what}? This cannot be undone.`, {
      enter: false,
    });
    if (!isSure) return;
  }
  const result = await verbs.trailDelete(context.project, { name });
  const kept =
    result.kept > 0
      ? ` ${count(result.kept, "checkpoint")} stayed: tagged, or other trails forked there.`
      : "";
  output.result(result, `Deleted ${oneLine(name)}: ${count(result.removed, "checkpoint")}.${kept}`);
};

function needsYes(name: string, what: string): CheckpointError {
  return new CheckpointError("refused", `Deleting ${what} cannot be undone, so it needs --yes.`, {
    hint: `To keep a copy first: checkpoint export --trail ${name} --history --output FILE`,
    details: { trail: name },
  });
}
