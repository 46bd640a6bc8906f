import { changeSentence } from "../../../work/state/diff-words.ts";
import { oneLine } from "../../../core/text/visible.ts";
import * as verbs from "../../../work/project/reading/list.ts";
import type { CommandOf } from "../command.ts";
import { fit } from "../../../work/terminal/columns.ts";
import type { Output } from "../../../work/terminal/output.ts";
import { drawGraph, linkShown } from "../view/graph.ts";
import { ago } from "../../../core/text/time.ts";

export const log: CommandOf<"log"> = async (context, options, output) => {
  const { graph, ...input } = options;
  const { since, by, trigger, grep } = input;
  const result = await verbs.log(context.project, { ...input, all: graph });
  if (result.checkpoints.length === 0) output.message("No checkpoint matches.");
  const entries = result.checkpoints;
  output.result(result, () => {
    const now = context.now();
    if (!graph) return entries.map((entry) => text(entry, now, output, "").join("\n    ")).join("\n");
    const isFiltered = [since, by, trigger, grep].some((filter) => filter !== undefined);
    const rows = drawGraph(linkShown(entries, { isFiltered })).flatMap(({ node, joins, mark, margin }) => {
      const [first = "", ...rest] = text(node, now, output, margin);
      return [...joins, `${mark}  ${first}`, ...rest.map((line) => `${margin}  ${line}`)];
    });
    return rows.join("\n");
  });
};

function text(entry: verbs.LoggedCheckpoint, now: Date, output: Output, margin: string): string[] {
  const { yellow, cyan, dim } = output.style;
  const trail = entry.is_head ? `  ${cyan(entry.trail)}` : "";
  const who = entry.agent_id === null ? "" : ` by ${oneLine(entry.agent_id)}`;
  const room = output.columns && output.columns - margin.length - 4;
  return [
    `${yellow(entry.checkpoint_id)}${trail}  ${dim(`${ago(entry.created_at, now)}, ${oneLine(entry.trigger)}${who}`)}`,
    ...(entry.notes === null ? [] : [fit(oneLine(entry.notes), room)]),
    // A run says in its notes what happened; its fields are bookkeeping.
    entry.notes !== null && entry.trail.startsWith("run/") ? "" : fit(changeSentence(entry), room),
  ].filter((line) => line !== "");
}
