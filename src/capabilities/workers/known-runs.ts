import type { Checkpoint } from "../../core/trails/document.ts";
import type { Trail } from "../../core/trails/trail.ts";
import type { WorkflowContext } from "../workflow/context.ts";
import type { RunDocument } from "../workflow/run/run-state.ts";
import { runTrail } from "../../work/state/run-trail.ts";
import { loadRun, type LoadedRun } from "../workflow/runner/examine-run.ts";

type RunHead = Checkpoint<RunDocument>;

/** More runs than a worker usually has at the same time. Each takes as much memory as its state. */
const MAX_KNOWN = 32;

/**
 * The runs that this process has just worked on, so that it need not load their whole state for each step. Other processes
 * may have changed them since.
 */
export class KnownRuns {
  readonly #known = new Map<string, { readonly head: RunHead; trail?: Trail<RunDocument> | undefined }>();

  /** A run as this process knows it. */
  known(id: string): RunHead | undefined {
    return this.#known.get(id)?.head;
  }

  /** A run as it is at `newest`, to look at. Rejects as `loadRun` does. */
  async head(context: Pick<WorkflowContext, "cairn">, id: string, newest?: string): Promise<RunHead> {
    const known = this.known(id);
    if (known !== undefined) {
      const expected = newest ?? (await context.cairn.store.head(runTrail(id)));
      if (known.content_hash === expected) return known;
    }
    const loaded = await loadRun(context, id);
    this.keep(id, loaded);
    return loaded.head;
  }

  /** A run to change. Nobody else gets its trail until it is kept again: two would overwrite each other. */
  async take(context: Pick<WorkflowContext, "cairn">, id: string, newest: string): Promise<LoadedRun> {
    const known = this.#known.get(id);
    const { head, trail } = known ?? {};
    if (known !== undefined) known.trail = undefined;
    if (trail !== undefined && head?.content_hash === newest) return { trail, head };
    return loadRun(context, id);
  }

  keep(id: string, loaded: LoadedRun): void {
    this.#known.delete(id);
    this.#known.set(id, { ...loaded });
    if (this.#known.size > MAX_KNOWN) this.#known.delete(this.#known.keys().next().value!);
  }
}
