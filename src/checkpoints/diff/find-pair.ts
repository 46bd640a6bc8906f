import { CheckpointError } from "../../errors.ts";
import type { Store } from "../../store/contract.ts";
import { type CheckpointInfo, readCheckpoint, type StoredHead } from "../document.ts";
import { resolve } from "../resolve.ts";

/** The two checkpoints to compare. By default the newest of the trail, and the one before the newer of the two. */
export async function findPair(
  store: Store,
  trail: string,
  ids: { readonly from?: string | undefined; readonly to?: string | undefined },
): Promise<{ from: StoredHead; to: StoredHead }> {
  const to = ids.to === undefined ? await newest(store, trail) : await find(store, ids.to);
  const from = ids.from === undefined ? await parentOf(store, to.info) : await find(store, ids.from);
  return { from, to };
}

async function find(store: Store, id: string): Promise<StoredHead> {
  const found = await resolve(store, id);
  return readCheckpoint(found.id, found.bytes);
}

async function newest(store: Store, trail: string): Promise<StoredHead> {
  const [head] = await store.history(trail, { limit: 1 });
  if (head !== undefined) return readCheckpoint(head.id, head.bytes);
  throw new CheckpointError("not-found", `There is no checkpoint in trail "${trail}" yet.`, {
    hint: "checkpoint list --all",
  });
}

async function parentOf(
  store: Store,
  { checkpoint_id, trail, parent_hash }: CheckpointInfo,
): Promise<StoredHead> {
  const parent = parent_hash && (await store.readObjects([parent_hash])).get(parent_hash);
  if (parent_hash && parent) return readCheckpoint(parent_hash, parent);
  // Asked for by its name, a pruned one is called that.
  if (parent_hash !== null) return find(store, parent_hash);
  throw new CheckpointError(
    "not-found",
    `Checkpoint ${checkpoint_id} is the first of trail "${trail}": there is nothing to compare it with.`,
    {
      hint: "Save another one, or name two: checkpoint diff --from ID --to ID",
      details: { id: checkpoint_id, trail },
    },
  );
}
