import { readCheckpoint } from "../../../core/trails/document.ts";
import { isCheckpointError, type CheckpointError } from "../../../core/errors.ts";
import { decodeAll } from "../../../core/objects/decode.ts";
import type { ObjectId } from "../../../core/objects/object-id.ts";
import { readChecked } from "../../../core/objects/read-tree.ts";
import type { StoredTrail } from "../../../core/store/contract.ts";
import type { WorkflowContext } from "../context.ts";
import type { Run, RunDocument } from "../run/run-state.ts";
import { RUN_TRAIL_PREFIX } from "../../../work/state/run-trail.ts";
import { readRun } from "./examine-run.ts";
import { namedAsTrail } from "./run-journal.ts";

/** How many runs are read together: their states are in memory at the same time. */
const READ_AT_ONCE = 50;

/** A run that was read, or why it could not be. */
type ReadRun =
  | { readonly id: string; readonly run: Run }
  | { readonly id: string; readonly damage: CheckpointError };

/** Who wants to see runs rarely wants more; all that a person still has on the screen are among them. */
const NEWEST = 200;

/** The trails of all runs, or of the newest, most recently changed first. */
const runTrails = ({ cairn }: Pick<WorkflowContext, "cairn">, limit?: number): Promise<StoredTrail[]> =>
  cairn.trails({ prefix: RUN_TRAIL_PREFIX, limit });

/**
 * The trails of all runs that are not over, and of others, most recently changed first. A store that keeps many runs knows
 * which ones workers have left; those that a runner drives are among the newest.
 */
export async function unfinishedTrails(
  context: Pick<WorkflowContext, "cairn" | "unfinishedTrails">,
): Promise<readonly StoredTrail[]> {
  if (context.unfinishedTrails === undefined) return runTrails(context);
  const newest = await runTrails(context, NEWEST);
  return [...newest, ...without(newest, await context.unfinishedTrails())];
}

/**
 * Runs by their trails; all, most recently changed first, unless trails are given. Read in groups, so that a store on a
 * server is asked for each level of their states once, and not for each run. Who stops early has not read the others.
 */
export async function* readRuns(
  context: Pick<WorkflowContext, "cairn">,
  given?: readonly StoredTrail[],
): AsyncGenerator<ReadRun> {
  const newest = given ?? (await runTrails(context, NEWEST));
  yield* readAll(context, newest);
  if (given === undefined && newest.length === NEWEST)
    yield* readAll(context, without(newest, await runTrails(context)));
}

const without = (known: readonly StoredTrail[], trails: readonly StoredTrail[]): StoredTrail[] => {
  const names = new Set(known.map(({ name }) => name));
  return trails.filter(({ name }) => !names.has(name));
};

async function* readAll(
  context: Pick<WorkflowContext, "cairn">,
  trails: readonly StoredTrail[],
): AsyncGenerator<ReadRun> {
  for (let from = 0; from < trails.length; from += READ_AT_ONCE) {
    const group = trails.slice(from, from + READ_AT_ONCE);
    try {
      yield* await readTogether(context, group);
    } catch (error) {
      if (!isCheckpointError(error, "corrupt")) throw error;
      for (const trail of group) yield* await readAlone(context, idOf(trail));
    }
  }
}

const idOf = ({ name }: StoredTrail) => name.slice(RUN_TRAIL_PREFIX.length);

async function readTogether(
  { cairn: { store } }: Pick<WorkflowContext, "cairn">,
  trails: readonly StoredTrail[],
): Promise<ReadRun[]> {
  const read = (ids: readonly ObjectId[]) => store.readObjects(ids);
  const ids = trails.map(({ head }) => head);
  const bytes = await readChecked(ids, read);
  const heads = ids.map((id) => readCheckpoint(id, bytes.get(id) as Uint8Array));
  const states = await decodeAll(
    heads.map(({ root }) => root),
    read,
  );
  return trails.map((trail, at) => {
    const state = states[at] as unknown as RunDocument;
    return { id: idOf(trail), run: namedAsTrail(idOf(trail), state).run };
  });
}

/** Nothing for a run that was removed meanwhile. */
async function readAlone(context: Pick<WorkflowContext, "cairn">, id: string): Promise<ReadRun[]> {
  try {
    return [{ id, run: await readRun(context, id) }];
  } catch (error) {
    if (isCheckpointError(error, "corrupt")) return [{ id, damage: error }];
    if (isCheckpointError(error, "not-found")) return [];
    throw error;
  }
}
