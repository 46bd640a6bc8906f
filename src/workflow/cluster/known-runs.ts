import type { Checkpoint } from "../../checkpoints/document.ts";
import type { WorkflowContext } from "../context.ts";
import { runTrail, type RunDocument } from "../run/run-state.ts";
import { loadRun, type LoadedRun } from "../runner/examine-run.ts";

/** More runs than a worker usually has at the same time. Each takes as much memory as its state. */
const MAX_KNOWN = 32;

/**
 * The runs that this process has just worked on. A worker that takes one step of a run after the other then asks only for the
 * run's head, and loads the state when another process has changed it.
 */
export class KnownRuns {
  readonly #known = new Map<string, LoadedRun>();

  /** The newest state of a run, to look at. Rejects as `loadRun` does. */
  async head(
    context: Pick<WorkflowContext, "cairn">,
    id: string,
    newest?: string,
  ): Promise<Checkpoint<RunDocument>> {
    const known = this.#known.get(id);
    const expected = newest ?? (await context.cairn.store.head(runTrail(id)));
    if (known !== undefined && known.head.content_hash === expected) return known.head;
    const loaded = await loadRun(context, id);
    this.keep(id, loaded);
    return loaded.head;
  }

  /** A run to change, as it is at `newest`. Nobody else gets its trail until it is kept again: two would overwrite each other. */
  async take(context: Pick<WorkflowContext, "cairn">, id: string, newest: string): Promise<LoadedRun> {
    const known = this.#known.get(id);
    this.#known.delete(id);
    return known?.head.content_hash === newest ? known : loadRun(context, id);
  }

  keep(id: string, loaded: LoadedRun): void {
    this.#known.delete(id);
    this.#known.set(id, loaded);
    if (this.#known.size > MAX_KNOWN) this.#known.delete(this.#known.keys().next().value!);
  }
}
