import {
  readCheckpoint,
  writeCheckpoint,
  type CheckpointInfo,
  type CommitNotes,
  type UnloadedCheckpoint,
} from "../checkpoints/document.ts";
import { CheckpointError } from "../errors.ts";
import { decode } from "../objects/decode.ts";
import { encode } from "../objects/encode.ts";
import type { JsonObject } from "../objects/json.ts";
import type { ObjectId } from "../objects/object-id.ts";
import { readChecked, type ReadObjects } from "../objects/read-tree.ts";
import { remember } from "../objects/remember.ts";
import type { Store } from "../store/contract.ts";
import { joinStates } from "./join-states.ts";
import { lineBetween } from "./line.ts";

export interface Joining extends CommitNotes {
  readonly trail: string;
  /** The visible trail that keeps the other line. */
  readonly kept: string;
  /** The head of the other line. */
  readonly theirs: ObjectId;
  readonly now: Date;
}

/**
 * Joins a trail with its other line: one checkpoint on top of the other line holds what both changed since they parted,
 * and names this line's head in `merged_from`. Refuses where both changed the same thing; nothing is changed then.
 */
export async function joinTrail(store: Store, joining: Joining): Promise<CheckpointInfo> {
  const { trail, kept, theirs, now, ...notes } = joining;
  const local = await store.head(trail);
  if (local === undefined) throw new Error(`"${trail}" has no head to join`);
  const read: ReadObjects = (ids) => store.readObjects(ids);
  const [mine, other] = [await unloaded(local, read), await unloaded(theirs, read)];
  const before = await ancestorState(store, local, theirs);
  const memory = await remember(other.root, read);
  const stateOf = async ({ root }: UnloadedCheckpoint) => (await decode(root, read)) as JsonObject;
  const { state, clashes } = joinStates(before, await stateOf(mine), await stateOf(other));
  if (state === undefined) throw clash(trail, kept, clashes);
  const encoded = encode(state, memory);
  const { info, object } = writeCheckpoint({
    trigger: "join",
    notes: `Joined with ${kept}`,
    ...notes,
    trail,
    created_at: now.toISOString(),
    root: encoded.memory.root,
    parent: other.info,
    merged_from: local,
  });
  await store.commit({
    objects: encoded.objects,
    checkpoint: object,
    parent: theirs,
    createdAt: now.getTime(),
    trail,
    head: { from: local },
    // The other line becomes this trail's history, unless somebody went on with it under its own name.
    adopts: (await store.head(kept)) === theirs ? kept : undefined,
  });
  return info;
}

async function unloaded(id: ObjectId, read: ReadObjects): Promise<UnloadedCheckpoint> {
  return readCheckpoint(id, (await readChecked([id], read)).get(id) as Uint8Array);
}

/** The state that both lines come from: empty if they have nothing in common from their very beginnings on. */
async function ancestorState(store: Store, ours: ObjectId, theirs: ObjectId): Promise<JsonObject> {
  const lines = [await lineBetween(store, undefined, ours), await lineBetween(store, undefined, theirs)];
  const [ids, other = []] = lines.map(({ checkpoints }) => checkpoints.map(({ id }) => id));
  const known = new Set(ids);
  const common = other.findLast((id) => known.has(id));
  const read: ReadObjects = (wanted) => store.readObjects(wanted);
  if (common !== undefined) return (await decode((await unloaded(common, read)).root, read)) as JsonObject;
  for (const { checkpoints } of lines) {
    const [first] = checkpoints;
    if (first !== undefined && readCheckpoint(first.id, first.bytes).info.parent_hash !== null)
      throw ancestorPruned();
  }
  return {};
}

function clash(trail: string, kept: string, clashes: readonly string[]): CheckpointError {
  return new CheckpointError(
    "conflict",
    `${trail} and ${kept} cannot be joined: both changed ${clashes.join(", ")}.`,
    {
      hint: `To see theirs: checkpoint load --trail ${kept}\nWrite the same into ${trail}, then: checkpoint pull --join`,
      details: { trail, kept, clashes },
    },
  );
}

function ancestorPruned(): CheckpointError {
  return new CheckpointError("conflict", "The checkpoint that both lines come from was pruned.", {
    hint: "What each changed cannot be told any more. Both lines are there: checkpoint trails",
  });
}
