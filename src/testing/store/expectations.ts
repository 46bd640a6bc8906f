import assert from "node:assert/strict";

import { isCheckpointError } from "../../core/errors.ts";
import { readTrees } from "../../core/objects/read-tree.ts";
import type { ObjectId } from "../../core/objects/object-id.ts";
import type { Commit, Removal, RemovalResult, Store } from "../../core/store/contract.ts";
import { isStaleReference } from "../../core/store/refusals.ts";
import { changeOf, idsOf, objectsOf, type ChangeOptions } from "./samples.ts";

/** Commits checkpoints one after the other, each the new head; returns their ids, oldest first. */
export async function commitLine<const Labels extends readonly unknown[]>(
  store: Store,
  trail: string,
  labels: Labels,
): Promise<{ -readonly [At in keyof Labels]: ObjectId }> {
  const ids: ObjectId[] = [];
  for (const label of labels) ids.push(await commitNext(store, label, { trail }));
  return ids as { -readonly [At in keyof Labels]: ObjectId };
}

/** Commits on top of whatever the trail's head is. */
export async function commitNext(
  store: Store,
  label: unknown,
  options: ChangeOptions = {},
): Promise<ObjectId> {
  const from = await store.head(options.trail ?? "main");
  return (await committed(store, label, { from, ...options })).checkpoint.id;
}

/** Commits a change that is needed again. */
export async function committed(store: Store, label: unknown, options?: ChangeOptions): Promise<Commit> {
  const change = changeOf(label, options);
  await store.commit(change);
  return change;
}

/** The checkpoint and all it refers to are there, and are what their names say. */
export async function assertLoads(store: Store, checkpoint: ObjectId): Promise<void> {
  await readTrees([checkpoint], (ids) => store.readObjects(ids));
}

const rejectsWith = (what: string, isExpected: (error: unknown) => boolean) => (attempt: Promise<unknown>) =>
  assert.rejects(attempt, (error) => {
    assert.ok(isExpected(error), `expected ${what}, got ${String(error)}`);
    return true;
  });

export const assertStale = rejectsWith("a stale reference", isStaleReference);
export const assertConflict = rejectsWith(
  "a conflict that is not a stale reference",
  (error) => isCheckpointError(error, "conflict") && !isStaleReference(error),
);
export const assertNotFound = rejectsWith("not-found", (error) => isCheckpointError(error, "not-found"));
export const assertUsage = rejectsWith("usage", (error) => isCheckpointError(error, "usage"));

/** A promise that may fail before anyone awaits it. Whoever does so later still sees the failure. */
export function awaitedLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** Makes sure that a change is refused, and leaves no trace. */
export async function assertLeavesNothing(
  store: Store,
  change: Commit,
  assertRefused = assertConflict,
): Promise<void> {
  const ids = idsOf(objectsOf(change));
  const before = { ...(await overview(store)), objects: await store.readObjects(ids) };
  await assertRefused(store.commit(change));
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

/** That a removal removes and keeps just these, the latter for these reasons. */
export async function assertRemoval(
  store: Store,
  removal: Removal,
  removed: readonly ObjectId[],
  kept: Readonly<Record<ObjectId, RemovalResult["kept"][number]["reason"]>> = {},
): Promise<void> {
  const result = await store.remove(removal);
  assert.deepEqual(result.removed.toSorted(), removed.toSorted());
  assert.equal(result.kept.length, Object.keys(kept).length);
  assert.deepEqual(Object.fromEntries(result.kept.map(({ id, reason }) => [id, reason])), kept);
}
