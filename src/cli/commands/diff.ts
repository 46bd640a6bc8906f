import type { Cairn } from "../../checkpoints/cairn.ts";
import { type CheckpointInfo, readCheckpoint, type StoredHead } from "../../checkpoints/document.ts";
import { resolve } from "../../checkpoints/resolve.ts";
import { CheckpointError } from "../../errors.ts";
import { noCheckpointYet } from "../choose-trail.ts";
import type { Context } from "../context.ts";
import { cachedReader, diffCheckpoints } from "../diff/diff-checkpoints.ts";
import { isEmpty } from "../diff/work-diff.ts";
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
  const to = options.to === undefined ? await newest(cairn, trail.name) : await find(cairn, options.to);
  const from = options.from === undefined ? await parentOf(cairn, to.info) : await find(cairn, options.from);
  const changes = await diffCheckpoints(from, to, await cachedReader(cairn.store, [from.root, to.root]));
  const { yellow } = output.style;
  output.result({ from: from.info, to: to.info, changed: !isEmpty(changes), ...changes }, () => {
    const title = `${yellow(from.info.checkpoint_id)} → ${yellow(to.info.checkpoint_id)}`;
    return `${title}\n${diffText(changes, output.style) || "Nothing changed."}`;
  });
  return options.exitCode && !isEmpty(changes) ? 1 : 0;
}

async function find({ store }: Cairn, id: string): Promise<StoredHead> {
  const found = await resolve(store, id);
  return readCheckpoint(found.id, found.bytes);
}

async function newest({ store }: Cairn, trail: string): Promise<StoredHead> {
  const [head] = await store.history(trail, { limit: 1 });
  if (head === undefined) throw noCheckpointYet(trail);
  return readCheckpoint(head.id, head.bytes);
}

async function parentOf(
  cairn: Cairn,
  { checkpoint_id, trail, parent_hash }: CheckpointInfo,
): Promise<StoredHead> {
  const parent = parent_hash && (await cairn.store.readObjects([parent_hash])).get(parent_hash);
  if (parent_hash && parent) return readCheckpoint(parent_hash, parent);
  // Asked for by its name, a pruned one is called that.
  if (parent_hash !== null) return find(cairn, parent_hash);
  throw new CheckpointError(
    "not-found",
    `Checkpoint ${checkpoint_id} is the first of trail "${trail}": there is nothing to compare it with.`,
    {
      hint: "Save another one, or name two: checkpoint diff --from ID --to ID",
      details: { id: checkpoint_id, trail },
    },
  );
}
