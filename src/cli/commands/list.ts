import type { Cairn } from "../../checkpoints/cairn.ts";
import type { CheckpointInfo } from "../../checkpoints/document.ts";
import { oneLine } from "../../handoff/visible.ts";
import { table } from "../columns.ts";
import { noCheckpointYet } from "../choose-trail.ts";
import type { Context } from "../context.ts";
import { findProject, openStore, openToRead } from "../open.ts";
import type { Output } from "../output.ts";
import { recentOfAll } from "../recent.ts";
import type { OptionsOf } from "../spec.ts";
import type { SAVING } from "../table/saving.ts";
import { ago } from "../view/time.ts";
import { changesOf, changeSentence } from "../what-changed.ts";

type ListOptions = OptionsOf<typeof SAVING.list>;

/** List checkpoints, newest first */
export async function list(context: Context, options: ListOptions, output: Output): Promise<void> {
  const { cairn, trail, checkpoints } = options.all ? await ofAll(context, options) : await ofOne(context, options, output);
  const words = output.json ? [] : await Promise.all(checkpoints.map((info) => inWords(cairn, info)));
  output.result({ trail, checkpoints }, () => {
    const now = context.now();
    const rows = checkpoints.map((info, index) => row(info, words[index] ?? "", { now, withTrail: trail === null, output }));
    return table(rows, output.columns);
  });
}

async function ofOne(context: Context, options: ListOptions, output: Output) {
  const { cairn, trail } = await openToRead(context, options, output);
  return { cairn, trail: trail.name, checkpoints: await trail.history({ limit: options.limit ?? 20 }) };
}

async function ofAll(context: Context, { limit = 20 }: ListOptions) {
  const cairn = await openStore(context, findProject(context));
  const checkpoints = (await recentOfAll(cairn.store, limit)).map(({ info }) => info);
  if (checkpoints.length === 0) throw noCheckpointYet();
  return { cairn, trail: null, checkpoints };
}

/** What somebody wrote about a checkpoint; where nobody did, what it changed. */
async function inWords(cairn: Cairn, info: CheckpointInfo): Promise<string> {
  return info.notes === null ? changeSentence(info, await changesOf(cairn, info), 2) : oneLine(info.notes);
}

function row(
  info: CheckpointInfo,
  words: string,
  { now, withTrail, output: { style } }: { now: Date; withTrail: boolean; output: Output },
): string[] {
  return [
    style.yellow(info.checkpoint_id),
    ago(info.created_at, now),
    ...(withTrail ? [style.cyan(info.trail)] : []),
    style.dim(info.agent_id === null ? oneLine(info.trigger) : `${oneLine(info.trigger)} by ${oneLine(info.agent_id)}`),
    words,
  ];
}
