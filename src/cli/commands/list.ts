import { infoOfStored, type CheckpointInfo } from "../../checkpoints/document.ts";
import { oneLine } from "../../text/visible.ts";
import type { Store, StoredCheckpoint } from "../../store/contract.ts";
import { table, widthOf } from "../columns.ts";
import { assertOneChoice, noCheckpointYet } from "../choose-trail.ts";
import type { Context } from "../context.ts";
import { findProject, openStore, openToRead } from "../open.ts";
import type { Output } from "../output.ts";
import { recentOfAll } from "../recent.ts";
import type { OptionsOf } from "../spec.ts";
import type { SAVING } from "../table/saving.ts";
import { ago } from "../view/time.ts";

type ListOptions = OptionsOf<typeof SAVING.list>;

interface Listed {
  readonly store: Store;
  /** Null for all trails. */
  readonly trail: string | null;
  readonly checkpoints: readonly StoredCheckpoint[];
}

/** List checkpoints, newest first */
export async function list(context: Context, options: ListOptions, output: Output): Promise<void> {
  assertOneChoice("--all", { isAll: options.all, trail: options.trail });
  const listed = options.all ? await ofAll(context, options) : await ofOne(context, options, output);
  const infos = listed.checkpoints.map(infoOfStored);
  const words = output.json ? [] : await inWords(listed, infos);
  output.result({ trail: listed.trail, checkpoints: infos }, () => {
    const now = context.now();
    const rows = infos.map((info, index) =>
      row(info, words[index] ?? "", { now, withTrail: listed.trail === null, output }),
    );
    return lines(rows, infos, output.columns);
  });
}

/** An id that is cut is of no use: where one does not fit beside the rest, it has a line of its own. */
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

async function ofOne(context: Context, options: ListOptions, output: Output): Promise<Listed> {
  const { cairn, trail } = await openToRead(context, options, output);
  const checkpoints = await cairn.store.history(trail.name, { limit: options.limit ?? 20 });
  if (checkpoints.length === 0) throw noCheckpointYet(trail.name);
  return { store: cairn.store, trail: trail.name, checkpoints };
}

async function ofAll(context: Context, { limit = 20 }: ListOptions): Promise<Listed> {
  const { store } = await openStore(context, findProject(context));
  const { checkpoints } = await recentOfAll(store, limit);
  if (checkpoints.length === 0) throw noCheckpointYet();
  return { store, trail: null, checkpoints };
}

/** What somebody wrote about each checkpoint; where nobody did, what it changed. */
async function inWords({ store, checkpoints }: Listed, infos: readonly CheckpointInfo[]): Promise<string[]> {
  const silent = checkpoints.filter((_, index) => infos[index]?.notes === null);
  if (silent.length === 0) return infos.map(({ notes }) => oneLine(notes ?? ""));
  const { changesOf, changeSentence } = await import("../what-changed.ts");
  const changes = new Map(
    (await changesOf(store, silent)).map((change, index) => [silent[index]?.id, change]),
  );
  return infos.map((info) =>
    info.notes === null
      ? changeSentence(info, changes.get(info.content_hash) ?? null, 2)
      : oneLine(info.notes),
  );
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
