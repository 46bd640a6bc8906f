import type { CheckpointInfo } from "../../checkpoints/document.ts";
import { oneLine } from "../../handoff/visible.ts";
import { fit } from "../columns.ts";
import { noCheckpointYet } from "../choose-trail.ts";
import type { Context } from "../context.ts";
import type { WorkDiff } from "../diff/work-diff.ts";
import { findProject, openStore, openToRead } from "../open.ts";
import type { Output } from "../output.ts";
import { type Recent, recentOfAll } from "../recent.ts";
import type { OptionsOf } from "../spec.ts";
import type { SAVING } from "../table/saving.ts";
import { drawGraph } from "../view/graph.ts";
import { ago } from "../view/time.ts";
import { changesOf, changeSentence } from "../what-changed.ts";

type LogOptions = OptionsOf<typeof SAVING.log>;

interface Entry extends CheckpointInfo {
  readonly is_head: boolean;
  readonly changes: WorkDiff | null;
}

/** Show the history: who, when, why and what changed */
export async function log(context: Context, options: LogOptions, output: Output): Promise<void> {
  const { cairn, trail, recent } = options.graph ? await ofAll(context, options) : await ofOne(context, options, output);
  const entries: Entry[] = [];
  for (const { info, isHead } of recent) {
    entries.push({ ...info, is_head: isHead, changes: await changesOf(cairn, info) });
  }
  output.result({ trail, checkpoints: entries }, () => {
    const now = context.now();
    if (!options.graph) return entries.map((entry) => text(entry, now, output, "").join("\n    ")).join("\n");
    return drawGraph(entries).flatMap(({ node, joins, mark, margin }) => {
      const [first = "", ...rest] = text(node, now, output, margin);
      return [...joins, `${mark}  ${first}`, ...rest.map((line) => `${margin}  ${line}`)];
    }).join("\n");
  });
}

async function ofOne(context: Context, options: LogOptions, output: Output) {
  const { cairn, trail } = await openToRead(context, options, output);
  const history = await trail.history({ limit: options.limit ?? 20 });
  const recent: Recent[] = history.map((info, index) => ({ info, isHead: index === 0 }));
  return { cairn, trail: trail.name, recent };
}

async function ofAll(context: Context, { limit = 20 }: LogOptions) {
  const cairn = await openStore(context, findProject(context));
  const recent = await recentOfAll(cairn.store, limit);
  if (recent.length === 0) throw noCheckpointYet();
  return { cairn, trail: null, recent };
}

function text(entry: Entry, now: Date, output: Output, margin: string): string[] {
  const { yellow, cyan, dim } = output.style;
  const trail = entry.is_head ? `  ${cyan(entry.trail)}` : "";
  const who = entry.agent_id === null ? "" : ` by ${oneLine(entry.agent_id)}`;
  const room = output.columns && output.columns - margin.length - 4;
  const reason = `${oneLine(entry.trigger)}${who}`;
  return [
    `${yellow(entry.checkpoint_id)}${trail}  ${dim(`${ago(entry.created_at, now)}, ${reason}`)}`,
    ...(entry.notes === null ? [] : [fit(oneLine(entry.notes), room)]),
    fit(changeSentence(entry, entry.changes), room),
  ].filter((line) => line !== "");
}
