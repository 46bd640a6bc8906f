import type { Trail } from "../../checkpoints/trail.ts";
import type { Checkpoint, CheckpointInfo } from "../../checkpoints/document.ts";
import { CheckpointError, isCheckpointError } from "../../errors.ts";
import type { ObjectId } from "../../objects/object-id.ts";
import type { Store } from "../../store/contract.ts";
import { removable } from "../run/retention.ts";
import { runTrail, type Run, type RunDocument } from "../run/run-state.ts";
import { documentOf } from "../run/work-document.ts";
import type { WorkflowContext } from "../context.ts";

/** Why a checkpoint of a run is taken; decides how long it stays. */
export type RunTrigger = "run" | "step" | "approval" | "error";

interface Entry {
  readonly id: ObjectId;
  readonly trigger: string;
}

/** Thinning costs a transaction, so it waits until it is worth one. */
const PRUNE_AT = 200;

/** The trail of a run. Never changed in place, the state is recognised by identity: a commit costs what changed. */
export function openRunTrail({ cairn }: Pick<WorkflowContext, "cairn">, id: string): Trail<RunDocument> {
  return cairn.trail<RunDocument>(runTrail(id), { recognition: "identity", initial: {} as RunDocument });
}

/**
 * What one runner writes about its run. Every commit is checked against the epoch: one that was taken over
 * finds out here, and changes nothing any more.
 */
export class RunJournal {
  readonly #trail: Trail<RunDocument>;
  readonly #store: Store;
  readonly #epoch: number;
  readonly #now: () => Date;
  #document: RunDocument | undefined;
  #head: CheckpointInfo | undefined;
  #entries: Entry[] | undefined;
  /** Since the last thinning. */
  #commits = 0;
  /** Whether a commit of this epoch has been made. Until then the run still bears the number of the former one. */
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
    this.#document = head?.state;
    this.#head = head;
    if (head === undefined) this.#entries = [];
  }

  get document(): RunDocument {
    return this.#document!;
  }

  get run(): Run {
    return this.document.run;
  }

  /** The newest checkpoint that this runner knows of. */
  get head(): CheckpointInfo {
    return this.#head!;
  }

  /** The first commit of a new run. Rejects with `conflict` when there is already a run of that name. */
  async begin(run: Run, notes: string): Promise<void> {
    this.#document = documentOf(run);
    await this.#save(this.#document, "run", notes);
  }

  /**
   * Commits a change of the run, durable when this resolves. The change is pure, and is made again when
   * somebody else, such as a person who approves, was quicker.
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
        return await this.#save(documentOf(updated, this.document), trigger, notes);
      } catch (error) {
        if (!isCheckpointError(error, "conflict")) throw error;
        await this.reload();
      }
    }
  }

  /** Looks whether somebody else has moved the run. Rejects with `conflict` when that was another runner. */
  async reload(): Promise<boolean> {
    if ((await this.#store.head(this.#trail.name)) === this.#head?.content_hash) return false;
    const head = await this.#trail.load();
    const expected = this.#isOurs ? this.#epoch : this.#epoch - 1;
    if (head.state.run.epoch !== expected) throw takenOver(head.state.run);
    this.#entries?.push({ id: head.content_hash, trigger: head.trigger });
    this.#head = head;
    this.#document = head.state;
    return true;
  }

  async #save(document: RunDocument, trigger: RunTrigger, notes: string): Promise<void> {
    this.#head = await this.#trail.commit(document, { trigger, notes });
    this.#document = document;
    this.#isOurs = true;
    this.#commits++;
    this.#entries?.push({ id: this.#head.content_hash, trigger });
  }

  /** Removes checkpoints that nobody needs any more: all of them with `now`, else when there are many. */
  async prune({ now = false } = {}): Promise<void> {
    if (!now && this.#commits < PRUNE_AT) return;
    this.#commits = 0;
    this.#entries ??= (await this.#trail.history())
      .toReversed()
      .map(({ content_hash, trigger }) => ({ id: content_hash, trigger }));
    const gone = new Set(removable(this.#entries));
    if (gone.size === 0) return;
    await this.#store.remove({ checkpoints: [...gone] });
    this.#entries = this.#entries.filter(({ id }) => !gone.has(id));
  }
}

function takenOver({ id, epoch, runner }: Run): CheckpointError {
  const who = runner ? ` by process ${runner.pid} on ${runner.host}` : "";
  return new CheckpointError("conflict", `Run "${id}" was taken over${who}: this runner has stopped.`, {
    hint: `checkpoint runs show ${id}`,
    details: { run: id, epoch },
  });
}
