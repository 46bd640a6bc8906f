import * as verbs from "../../../work/project/history/trails.ts";
import { CheckpointError } from "../../../core/errors.ts";
import { shellWord } from "../../../core/text/shell-word.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { table } from "../../../work/terminal/columns.ts";
import type { CommandOf } from "../command.ts";
import { ago } from "../../../core/text/time.ts";
import { count } from "../../../work/state/words.ts";
import { isConfirmed } from "../../../work/terminal/ask.ts";

export const trails: CommandOf<"trails"> = async (context, { prefix }, output) => {
  const found = await verbs.trails(context.project, { prefix });
  const { style } = output;
  const rows = found.map(({ name, is_current, checkpoints, head }) => [
    `${is_current ? "*" : " "} ${style.cyan(oneLine(name))}`,
    count(checkpoints, "checkpoint"),
    head === null ? style.red("damaged") : ago(head.created_at, context.now()),
    oneLine(head?.notes ?? ""),
  ]);
  if (rows.length === 0) output.message("No trails yet: checkpoint now starts one.");
  output.result({ trails: found }, () => table(rows, output.columns, () => true));
};

export const trailsRename: CommandOf<"trails rename"> = async (context, options, output) => {
  const result = await verbs.trailRename(context.project, options);
  output.result(result, `${result.from} is now ${result.to}, with all its checkpoints.`);
};

export const trailsDelete: CommandOf<"trails delete"> = async (context, options, output) => {
  const { name, yes } = options;
  const found = (await verbs.trails(context.project, { prefix: name })).find((trail) => trail.name === name);
  const what = `${oneLine(name)} with ${count(found?.checkpoints ?? 0, "checkpoint")}`;
  const question = `Delete ${what}? This cannot be undone.`;
  if (found && !yes && !(await isConfirmed(context, output, question, needsYes(name, what)))) return;
  const result = await verbs.trailDelete(context.project, { name });
  const kept =
    result.kept > 0
      ? ` ${count(result.kept, "checkpoint")} stayed: tagged, or other trails forked there.`
      : "";
  output.result(result, `Deleted ${oneLine(name)}: ${count(result.removed, "checkpoint")}.${kept}`);
};

function needsYes(name: string, what: string): CheckpointError {
  return new CheckpointError("refused", `Deleting ${what} cannot be undone, so it needs --yes.`, {
    hint: `To keep a copy first: checkpoint export --trail ${shellWord(name)} --history --output FILE`,
    details: { trail: name },
  });
}
