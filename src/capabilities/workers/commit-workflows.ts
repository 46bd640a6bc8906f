import { isCheckpointError } from "../../core/errors.ts";
import type { WorkflowContext } from "../workflow/context.ts";
import { isModule } from "../workflow/definition/is-module.ts";
import { loadWorkflow } from "../workflow/definition/load-workflow.ts";
import type { Workflow } from "../workflow/definition/types.ts";
import type { Run } from "../workflow/run/run-state.ts";
import { openWorktree, type Worktree } from "./worktree.ts";

type RunFile = Pick<Run, "file" | "git_head">;

/** Definitions that are remembered; a commit never changes, but a worker lives long. */
const MAX_REMEMBERED = 50;

/**
 * The workflows of runs, as the commits of those runs define them. Without git there are no commits: then the file is read as
 * it is now.
 */
export class CommitWorkflows {
  readonly #context: WorkflowContext;
  readonly #loaded = new Map<string, Promise<Workflow | undefined>>();
  readonly #checkouts: Worktree[] = [];
  #count = 0;

  /** Checkouts go into the context's folder, which must be nobody else's. */
  constructor(context: WorkflowContext) {
    this.#context = context;
  }

  /** Undefined where there is no such file, or it defines no workflow. Rejects if the commit cannot be checked out. */
  async workflowOf({ file, git_head: commit }: RunFile): Promise<Workflow | undefined> {
    if (file === undefined) return undefined;
    if (commit === undefined) return load(file, this.#context.root);
    const key = `${commit} ${file}`;
    const known = this.#loaded.get(key) ?? this.#loadAt(commit, file);
    this.#loaded.delete(key);
    this.#loaded.set(key, known);
    const [oldest] = this.#loaded.keys();
    if (this.#loaded.size > MAX_REMEMBERED && oldest !== undefined) this.#loaded.delete(oldest);
    // What could not be checked out now may be later.
    known.catch(() => this.#loaded.delete(key));
    return known;
  }

  async #loadAt(commit: string, file: string): Promise<Workflow | undefined> {
    const checkout = await openWorktree(this.#context, commit, `definition-${this.#count++}`);
    // A program may load its parts when a step runs.
    if (isModule(file)) this.#checkouts.push(checkout);
    try {
      return await load(file, checkout.root);
    } finally {
      if (!isModule(file)) await checkout.remove();
    }
  }

  /** Removes the checkouts of programs. */
  async close(): Promise<void> {
    for (const checkout of this.#checkouts.splice(0)) await checkout.remove();
  }
}

async function load(file: string, cwd: string): Promise<Workflow | undefined> {
  try {
    return await loadWorkflow(file, { cwd });
  } catch (error) {
    if (isCheckpointError(error)) return undefined;
    throw error;
  }
}
