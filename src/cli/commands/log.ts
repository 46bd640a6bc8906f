import { infoOfStored, type CheckpointInfo } from "../../checkpoints/document.ts";
import { oneLine } from "../../text/visible.ts";
import { fit } from "../columns.ts";
import { assertOneChoice, noCheckpointYet } from "../choose-trail.ts";
import type { Context } from "../context.ts";
import type { WorkDiff } from "../../checkpoints/diff/work-diff.ts";
import { findProject, openStore, openToRead } from "../open.ts";
import type { Output } from "../output.ts";
import { recentOfAll } from "../recent.ts";
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
  assertOneChoice("--graph", { isAll: options.graph, trail: options.trail });
  const { store, trail, checkpoints, heads } = options.graph
    ? await ofAll(context, options)
    : await ofOne(context, options, output);
  const changes = await changesOf(store, checkpoints);
  const entries: Entry[] = checkpoints.map((stored, index) => ({
    ...infoOfStored(stored),
    is_head: heads.has(stored.id),
    changes: changes[index] ?? null,
  }));
  output.result({ trail, checkpoints: entries }, () => {
    const now = context.now();
    if (!options.graph) return entries.map((entry) => text(entry, now, output, "").join("\n    ")).join("\n");
    const rows = drawGraph(entries).flatMap(({ node, joins, mark, margin }) => {
      const [first = "", ...rest] = text(node, now, output, margin);
      return [...joins, `${mark}  ${first}`, ...rest.map((line) => `${margin}  ${line}`)];
    });
    return rows.join("\n");
  });
}

async function ofOne(context: Context, options: LogOptions, output: Output) {
  const { cairn, trail } = await openToRead(context, options, output);
  const checkpoints = await cairn.store.history(trail.name, { limit: options.limit ?? 20 });
  if (checkpoints.length === 0) throw noCheckpointYet(trail.name);
  return {
    store: cairn.store,
    trail: trail.name,
    checkpoints,
    heads: new Set(checkpoints.slice(0, 1).map(({ id }) => id)),
  };
}

async function ofAll(context: Context, { limit = 20 }: LogOptions) {
  const { store } = await openStore(context, findProject(context));
  const { checkpoints, heads } = await recentOfAll(store, limit);
  if (checkpoints.length === 0) throw noCheckpointYet();
  return { store, trail: null, checkpoints, heads };
}

function text(entry: Entry, now: Date, output: Output, margin: string): string[] {
  const { yellow, cyan, dim } = output.style;
  const trail = entry.is_head ? `  ${cyan(entry.trail)}` : "";
  const who = entry.agent_id === null ? "" : ` by ${oneLine(entry.agent_id)}`;
  const room = output.columns && output.columns - margin.length - 4;
  return [
    `${yellow(entry.checkpoint_id)}${trail}  ${dim(`${ago(entry.created_at, now)}, ${oneLine(entry.trigger)}${who}`)}`,
    ...(entry.notes === null ? [] : [fit(oneLine(entry.notes), room)]),
    fit(changeSentence(entry, entry.changes), room),
  ].filter((line) => line !== "");
}
