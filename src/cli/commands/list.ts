import type { CheckpointInfo } from "../../checkpoints/document.ts";
import { oneLine } from "../../handoff/visible.ts";
import { table } from "../columns.ts";
import { noCheckpointYet } from "../choose-trail.ts";
import type { Context } from "../context.ts";
import { findProject, openStore, openToRead } from "../open.ts";
import type { Output } from "../output.ts";
import type { OptionsOf } from "../spec.ts";
import type { SAVING } from "../table/saving.ts";
import { ago } from "../view/time.ts";

/** List checkpoints, newest first */
export async function list(context: Context, options: OptionsOf<typeof SAVING.list>, output: Output): Promise<void> {
  const { trail, checkpoints } = options.all ? await ofAll(context, options) : await ofOne(context, options, output);
  const text = () => {
    const rows = checkpoints.map((info) => row(info, context.now(), trail === null, output));
    return table(rows, output.columns);
  };
  output.result({ trail, checkpoints }, text);
}

async function ofOne(context: Context, options: OptionsOf<typeof SAVING.list>, output: Output) {
  const { trail } = await openToRead(context, options, output);
  return { trail: trail.name, checkpoints: await trail.history({ limit: options.limit ?? 20 }) };
}

async function ofAll(context: Context, { limit = 20 }: OptionsOf<typeof SAVING.list>) {
  const cairn = await openStore(context, findProject(context));
  const checkpoints = await cairn.history({ limit });
  if (checkpoints.length === 0) throw noCheckpointYet();
  return { trail: null, checkpoints };
}

function row(info: CheckpointInfo, now: Date, withTrail: boolean, { style }: Output): string[] {
  return [
    style.yellow(info.checkpoint_id),
    ago(info.created_at, now),
    ...(withTrail ? [style.cyan(info.trail)] : []),
    style.dim(info.agent_id === null ? oneLine(info.trigger) : `${oneLine(info.trigger)} by ${oneLine(info.agent_id)}`),
    oneLine(info.notes ?? ""),
  ];
}
