import { changeSentence } from "../../checkpoints/diff/diff-words.ts";
import type { CheckpointInfo } from "../../checkpoints/document.ts";
import { oneLine } from "../../text/visible.ts";
import * as verbs from "../../project/looking/list.ts";
import type { CommandOf } from "../command.ts";
import { table, widthOf } from "../columns.ts";
import type { Output } from "../output.ts";
import { ago } from "../../text/time.ts";

export const list: CommandOf<"list"> = async (context, options, output) => {
  const project = context.project;
  if (output.json) return output.result(await verbs.list(project, options), "");
  // A checkpoint without notes shows what it changed.
  const { trail, checkpoints } = await verbs.log(project, { ...options, onlyWithoutNotes: true });
  if (checkpoints.length === 0) {
    output.message("No checkpoint matches.");
    return;
  }
  const now = context.now();
  const rows = checkpoints.map((entry) => {
    const words = entry.notes === null || entry.damaged ? changeSentence(entry, 2) : oneLine(entry.notes);
    return row(entry, words, { now, withTrail: trail === null, output });
  });
  output.result({}, lines(rows, checkpoints, output.columns));
};

/** A shortened id is useless: one that does not fit gets a line of its own. */
function lines(
  rows: readonly string[][],
  infos: readonly CheckpointInfo[],
  columns: number | undefined,
): string {
  const whole = table(rows, undefined).split("\n");
  const isOver = infos.map(
    ({ notes, restored_from }, index) =>
      notes === null && restored_from !== null && columns !== undefined && widthOf(whole[index]!) > columns,
  );
  const shown = rows.map((cells, index) => (isOver[index] ? [...cells.slice(0, -1), ""] : cells));
  return table(shown, columns)
    .split("\n")
    .map((line, index) => (isOver[index] ? `${line}\n  ${rows[index]!.at(-1)}` : line))
    .join("\n");
}

function row(
  info: CheckpointInfo,
  words: string,
  { now, withTrail, output: { style } }: { now: Date; withTrail: boolean; output: Output },
): string[] {
  const who = info.agent_id === null ? "" : `@${oneLine(info.agent_id)}`;
  return [
    style.yellow(info.checkpoint_id),
    ago(info.created_at, now),
    ...(withTrail ? [style.cyan(info.trail)] : []),
    style.dim(oneLine(info.trigger)),
    [words, who].filter((part) => part !== "").join("  "),
  ];
}
