import type { Trail } from "../../../core/trails/trail.ts";
import type { Checkpoint } from "../../../core/trails/document.ts";
import { CheckpointError, isCheckpointError } from "../../../core/errors.ts";
import type { Store } from "../../../core/store/contract.ts";
import { own } from "../../../core/text/untrusted.ts";
import { removable } from "../run/retention.ts";
import type { Run, RunDocument } from "../run/run-state.ts";
import { RUN_TRAIL_PREFIX, runTrail } from "../../../work/state/run-trail.ts";
import { documentOf } from "../run/work-document.ts";
import type { WorkflowContext } from "../context.ts";

/** Why a checkpoint of a run is taken; decides how long it stays. */
export type RunTrigger = "run" | "step" | "approval" | "error";

/** Pruning costs a transaction, so it waits until it is worth one. */
const PRUNE_AT = 200;

/** The trail of a run. The state is never mutated, so unchanged parts are recognised by identity: a commit costs what changed. */
export function openRunTrail({ cairn }: Pick<WorkflowContext, "cairn">, id: string): Trail<RunDocument> {
  return cairn.trail<RunDocument>(runTrail(id), { recognition: "identity", initial: {} as RunDocument });
}

/** The newest state of a run. Rejects with `corrupt` if it is not one. */
export async function loadHead(trail: Trail<RunDocument>): Promise<Checkpoint<RunDocument>> {
  const head = await trail.load();
  return { ...head, state: namedAsTrail(trail.name.slice(RUN_TRAIL_PREFIX.length), head.state) };
}

/** The state of a run at an earlier checkpoint, which loads even if the head is damaged. */
export async function loadEarlier(trail: Trail<RunDocument>, id: string): Promise<Checkpoint<RunDocument>> {
  const found = await trail.load(id);
  if (own(found.state, "run") === undefined) throw notARun(id);
  // What the user trusts is this run: another one may have come from elsewhere.
  if (found.trail !== trail.name) throw ofAnother(id, found.trail, trail.name);
  return { ...found, state: namedAsTrail(trail.name.slice(RUN_TRAIL_PREFIX.length), found.state) };
}

function notARun(id: string): CheckpointError {
  return new CheckpointError("usage", `"${id}" is not a checkpoint of a run.`, {
    hint: "checkpoint list --trail run/ID",
  });
}

function ofAnother(id: string, trail: string, wanted: string): CheckpointError {
  return new CheckpointError("usage", `Checkpoint "${id}" belongs to ${trail}, not to ${wanted}.`, {
    hint: `To continue from it: checkpoint resume --from ${id}`,
    details: { id, trail },
  });
}

/**
 * A run is called what its trail is called. An imported state could name another run: one that the user trusts, or a
 * folder outside the project.
 */
export function namedAsTrail(id: string, state: RunDocument): RunDocument {
  const isRun = Array.isArray(own(state.run, "definition")) && Array.isArray(own(state.run, "steps"));
  if (!isRun) throw new CheckpointError("corrupt", "It is not the state of a run.");
  return state.run.id === id ? state : { ...state, run: { ...state.run, id } };
}

/**
 * What one runner writes about its run. Every commit is checked against the epoch: a runner whose run was taken
 * over finds out here, and can no longer change anything.
 */
export class RunJournal {
  readonly #trail: Trail<RunDocument>;
  readonly #store: Store;
  readonly #epoch: number;
  readonly #now: () => Date;
  #head: Checkpoint<RunDocument> | undefined;
  /** Since the last pruning. */
  #commits = 0;
  /** Whether this epoch has committed. Until then the run still has the number of the previous one. */
  #isOurs = false;

  constructor(
    context: Pick<WorkflowContext, "cairn" | "now">,
    trail: Trail<RunDocument>,
    { epoch, head }: { readonly epoch: number; readonly head?: Checkpoint<RunDocument> },
  ) {
    this.#trail = trail;
    this.#store = context.cairn.store;
    this.#now = context.now;
    this.#epoch = epoch;
    this.#head = head;
  }

  /** The newest checkpoint that this runner knows. */
  get head(): Checkpoint<RunDocument> {
    return this.#head!;
  }

  get run(): Run {
    return this.head.state.run;
  }

  /** The first commit of a new run. Rejects with `conflict` when there is already a run of that name. */
  async begin(run: Run, notes: string): Promise<void> {
    try {
      await this.#save(documentOf(run), "run", notes);
    } catch (error) {
      throw isCheckpointError(error, "conflict") ? runExists(run.id) : error;
    }
  }

  /**
   * Commits a change of the run, durable when this resolves. The change must be pure: it is made again when
   * another process was faster, such as a person who approves.
   */
  async commit(
    change: (run: Run) => Run,
    notesOf: (run: Run) => { readonly trigger: RunTrigger; readonly notes: string },
  ): Promise<void> {
    for (;;) {
      const next = change(this.run);
      if (next === this.run) return;
      const updated = { ...next, epoch: this.#epoch, updated_at: this.#now().toISOString() };
      const { trigger, notes } = notesOf(updated);
      try {
        return await this.#save(documentOf(updated, this.head.state), trigger, notes);
      } catch (error) {
        if (!isCheckpointError(error, "conflict")) throw error;
        await this.reload();
      }
    }
  }

  /** Loads the run again if another process has changed it. Rejects with `conflict` if that was another runner. */
  async reload(): Promise<boolean> {
    if ((await this.#store.head(this.#trail.name)) === this.#head?.content_hash) return false;
    const head = await loadHead(this.#trail);
    const expected = this.#isOurs ? this.#epoch : this.#epoch - 1;
    if (head.state.run.epoch !== expected) throw takenOver(head.state.run);
    this.#head = head;
    return true;
  }

  async #save(document: RunDocument, trigger: RunTrigger, notes: string): Promise<void> {
    this.#head = { ...(await this.#trail.commit(document, { trigger, notes })), state: document };
    this.#isOurs = true;
    this.#commits++;
  }

  /** Removes checkpoints that are no longer needed: at once with `now`, otherwise when there are many. */
  async prune({ now = false } = {}): Promise<void> {
    if (!now && this.#commits < PRUNE_AT) return;
    this.#commits = 0;
    await pruneRun(this.#store, this.#trail);
  }
}

async function pruneRun(store: Store, trail: Trail<RunDocument>): Promise<void> {
  const checkpoints = removable(await trail.history());
  if (checkpoints.length > 0) await store.remove({ checkpoints });
}

export function runExists(id: string): CheckpointError {
  return new CheckpointError("conflict", `There is already a run "${id}".`, {
    hint: `checkpoint resume ${id}`,
    details: { run: id },
  });
}

function takenOver({ id, epoch, runner }: Run): CheckpointError {
  const who = runner ? ` by process ${runner.pid} on ${runner.host}` : "";
  return new CheckpointError("conflict", `Run "${id}" was taken over${who}: this runner has stopped.`, {
    hint: `checkpoint runs show ${id}`,
    details: { run: id, epoch },
  });
}
