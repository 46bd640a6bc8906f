import {
  readCheckpoint,
  writeCheckpoint,
  type CheckpointInfo,
  type CommitNotes,
} from "../../core/trails/document.ts";
import { CheckpointError } from "../../core/errors.ts";
import { decode } from "../../core/objects/decode.ts";
import { encode } from "../../core/objects/encode.ts";
import type { JsonObject } from "../../core/objects/json.ts";
import type { ObjectId } from "../../core/objects/object-id.ts";
import { readChecked, type ReadObjects } from "../../core/objects/read-tree.ts";
import { remember } from "../../core/objects/remember.ts";
import type { Store } from "../../core/store/contract.ts";
import { joinStates } from "./join-states.ts";
import { renumberTasks } from "./renumber-tasks.ts";
import { lineBetween } from "../../core/trails/lines/line.ts";

export interface Joining extends CommitNotes {
  readonly trail: string;
  /** The visible trail that keeps the other line. */
  readonly kept: string;
  /** The head of the other line. */
  readonly theirs: ObjectId;
  /** Which line goes on: theirs where others have it as this trail, ours where they have it beside the trail. */
  readonly onto: "ours" | "theirs";
  readonly now: Date;
}

/**
 * Joins a trail with its other line: one checkpoint on top of one of them holds what both changed since they parted, and
 * names the head of the other in `merged_from`. Refuses where both changed the same thing; nothing is changed then.
 */
export async function joinTrail(store: Store, joining: Joining): Promise<CheckpointInfo> {
  const { trail, kept, theirs, onto, now, ...notes } = joining;
  const local = await store.head(trail);
  if (local === undefined) throw new Error(`"${trail}" has no head to join`);
  const read: ReadObjects = (ids) => store.readObjects(ids);
  const common = await commonAncestor(store, local, theirs);
  const before = common === undefined ? {} : (await stateOf(common, read)).state;
  const [ours, other] = [await stateOf(local, read), await stateOf(theirs, read)];
  const [mine, theirState] =
    onto === "theirs"
      ? [renumberTasks(before, ours.state, other.state), other.state]
      : [ours.state, renumberTasks(before, other.state, ours.state)];
  const { state, clashes } = joinStates(before, mine, theirState);
  if (state === undefined) throw clash(trail, kept, clashes);
  const [parent, merged_from] = onto === "theirs" ? [other, local] : [ours, theirs];
  const encoded = encode(state, await remember(parent.root, read));
  const { info, object } = writeCheckpoint({
    trigger: "join",
    notes: `Joined with ${kept}`,
    ...notes,
    trail,
    created_at: now.toISOString(),
    root: encoded.memory.root,
    parent: parent.info,
    merged_from,
  });
  await store.commit({
    objects: encoded.objects,
    checkpoint: object,
    parent: onto === "theirs" ? theirs : local,
    createdAt: now.getTime(),
    trail,
    head: { from: local },
    // The other line becomes this trail's history, unless somebody went on with it under its own name.
    adopts: (await store.head(kept)) === theirs ? kept : undefined,
  });
  return info;
}

async function stateOf(id: ObjectId, read: ReadObjects) {
  const bytes = (await readChecked([id], read)).get(id) as Uint8Array;
  const { info, root } = readCheckpoint(id, bytes);
  return { info, root, state: (await decode(root, read)) as JsonObject };
}

/** Undefined if two lines have nothing in common from their very beginnings on. */
async function commonAncestor(store: Store, ours: ObjectId, theirs: ObjectId): Promise<ObjectId | undefined> {
  const { checkpoints: line } = await lineBetween(store, undefined, ours);
  const { checkpoints: other } = await lineBetween(store, undefined, theirs);
  const known = new Set(line.map(({ id }) => id));
  const common = other.findLast(({ id }) => known.has(id));
  if (common !== undefined) return common.id;
  for (const { id, bytes } of [...line.slice(0, 1), ...other.slice(0, 1)])
    if (readCheckpoint(id, bytes).info.parent_hash !== null) throw ancestorPruned();
  return undefined;
}

function clash(trail: string, kept: string, clashes: readonly string[]): CheckpointError {
  const what = `${trail} and ${kept} cannot be joined: both changed ${clashes.join(", ")}.`;
  return new CheckpointError("conflict", what, {
    hint: `To see theirs: checkpoint load --trail ${kept}\nWrite the same into ${trail}, then: checkpoint pull --join`,
    details: { trail, kept, clashes },
  });
}

function ancestorPruned(): CheckpointError {
  return new CheckpointError("conflict", "The checkpoint that both lines come from was pruned.", {
    hint: "What each changed cannot be told any more. Both lines are there: checkpoint trails",
  });
}
