import { expect } from "vitest";

import { isCheckpointError, openCairn, type Cairn, type Trail } from "../../../src/doors/library/index.ts";
import { advance, NO_WORK, workAt, type Work } from "../programs/work.ts";
import type { Told } from "../programs/writer.ts";

export type Acknowledged = Extract<Told, { did: "commit" }>;

export interface Aftermath {
  /** Commits that became durable although nobody was told: at most the last one of each writer that was stopped. */
  readonly unannounced: number;
  /** Acknowledged checkpoints that are still there. */
  readonly loaded: number;
}

export function acknowledged(told: readonly Told[]): Acknowledged[] {
  return told.filter((message) => "did" in message && message.did === "commit");
}

/**
 * Opens what a writer left behind, as the next writer would, and fails unless every acknowledged checkpoint
 * is there with the right state (or was pruned, if a prune had begun), nothing is half there, and work goes on.
 */
export async function checkAftermath(folder: string, told: readonly Told[]): Promise<Aftermath> {
  const cairn = await openCairn({ path: folder });
  try {
    const trail = cairn.trail<Work>("main", { initial: NO_WORK });
    const loaded = await checkAcknowledged(cairn, trail, told);
    const found = (await trail.head()) === undefined ? 0 : (await trail.load()).state.step;
    const last = acknowledged(told).at(-1)?.step ?? 0;
    expect(found).toBeGreaterThanOrEqual(last);
    await checkChain(trail, told, found);
    expect((await cairn.verify()).damage).toEqual([]);
    await trail.commit(advance);
    expect((await trail.load()).state).toEqual(workAt(found + 1));
    return { unannounced: found - last, loaded };
  } finally {
    await cairn.close();
  }
}

async function checkAcknowledged(cairn: Cairn, trail: Trail<Work>, told: readonly Told[]): Promise<number> {
  const prunes = told.findLastIndex((message) => "doing" in message && message.doing === "prune");
  let loaded = 0;
  for (const message of acknowledged(told)) {
    const mayBePruned = told.indexOf(message) < prunes;
    try {
      expect((await trail.load(message.hash)).state).toEqual(workAt(message.step));
      loaded++;
    } catch (error) {
      if (!mayBePruned || !isCheckpointError(error, "not-found")) throw error;
      // Pruned is not lost: what was pruned left a tombstone.
      expect(await cairn.store.tombstone(message.hash as never)).toBeDefined();
    }
  }
  return loaded;
}

/** What is left of the trail is its newest end, without a gap: each checkpoint is the parent of the next. */
async function checkChain(trail: Trail<Work>, told: readonly Told[], head: number): Promise<void> {
  const history = await trail.history();
  const parents = history.map(({ parent_hash }) => parent_hash);
  expect(parents.slice(0, -1)).toEqual(history.slice(1).map(({ content_hash }) => content_hash));
  const wasPruned = told.some((message) => "doing" in message && message.doing === "prune");
  if (wasPruned) expect(history.length).toBeLessThanOrEqual(head);
  else expect(history).toHaveLength(head);
}
