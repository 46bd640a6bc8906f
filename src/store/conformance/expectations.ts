import assert from "node:assert/strict";

import { isCheckpointError } from "../../errors.ts";
import { readTrees } from "../../objects/read-tree.ts";
import type { ObjectId } from "../../objects/object-id.ts";
import type { Commit, Removal, RemovalResult, Store } from "../contract.ts";
import { isStaleReference } from "../refusals.ts";
import { changeOf, idsOf, objectsOf, type ChangeOptions } from "./samples.ts";

/** Commits checkpoints one after the other, each the new head; returns their ids, oldest first. */
export async function commitLine(
  store: Store,
  trail: string,
  labels: readonly unknown[],
): Promise<ObjectId[]> {
  const ids: ObjectId[] = [];
  for (const label of labels) ids.push(await commitNext(store, label, { trail }));
  return ids;
}

/** Commits on top of whatever the trail's head is. */
export async function commitNext(
  store: Store,
  label: unknown,
  options: ChangeOptions = {},
): Promise<ObjectId> {
  const change = changeOf(label, { from: await store.head(options.trail ?? "main"), ...options });
  await store.commit(change);
  return change.checkpoint.id;
}

/** The checkpoint and all it refers to are there, and are what their names say. */
export async function assertLoads(store: Store, checkpoint: ObjectId): Promise<void> {
  await readTrees([checkpoint], (ids) => store.readObjects(ids));
}

export async function assertConflict(attempt: Promise<unknown>): Promise<void> {
  await assert.rejects(attempt, (error) => {
    assert.ok(isCheckpointError(error, "conflict"), `expected a conflict, got ${String(error)}`);
    assert.ok(!isStaleReference(error), "expected a conflict that is not a stale reference");
    return true;
  });
}

export async function assertStale(attempt: Promise<unknown>): Promise<void> {
  await assert.rejects(attempt, (error) => {
    assert.ok(isStaleReference(error), `expected a stale reference, got ${String(error)}`);
    return true;
  });
}

export async function assertNotFound(attempt: Promise<unknown>): Promise<void> {
  await assert.rejects(attempt, (error) => {
    assert.ok(isCheckpointError(error, "not-found"), `expected not-found, got ${String(error)}`);
    return true;
  });
}

/** A promise that may fail before anyone awaits it. Whoever does so later still sees the failure. */
export function awaitedLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** Runs an attempt that must fail, and makes sure that it left no trace of its change. */
export async function assertLeavesNothing(
  store: Store,
  change: Commit,
  attempt: () => Promise<void>,
): Promise<void> {
  const ids = idsOf(objectsOf(change));
  const before = { ...(await overview(store)), objects: await store.readObjects(ids) };
  await attempt();
  assert.deepEqual({ ...(await overview(store)), objects: await store.readObjects(ids) }, before);
}

/** Everything that can be listed. Bytes are compared as plain arrays: a Buffer is as good as a Uint8Array. */
export async function overview(store: Store) {
  const { damage, ...counts } = await store.verify();
  return { trails: await store.trails(), checkpoints: plain(await store.find({})), damage, counts };
}

export function plain<T extends { readonly bytes: Uint8Array }>(stored: readonly T[]) {
  return stored.map((one) => ({ ...one, bytes: text(one.bytes) }));
}

export function text(bytes: Uint8Array | undefined): string {
  return new TextDecoder().decode(bytes);
}

interface ExpectedRemoval {
  readonly removed?: readonly ObjectId[];
  readonly kept?: readonly (readonly [ObjectId, RemovalResult["kept"][number]["reason"]])[];
}

export async function assertRemoval(
  store: Store,
  removal: Removal,
  { removed = [], kept = [] }: ExpectedRemoval,
): Promise<void> {
  const result = await store.remove(removal);
  assert.deepEqual(result.removed.toSorted(), removed.toSorted());
  const reasons = result.kept.map(({ id, reason }) => `${id} ${reason}`).toSorted();
  assert.deepEqual(reasons, kept.map((pair) => pair.join(" ")).toSorted());
}
