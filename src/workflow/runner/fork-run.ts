import { CheckpointError } from "../../errors.ts";
import { closest } from "../definition/problems.ts";
import type { WorkflowContext } from "../context.ts";
import { dropAfter, type ForkPoint } from "../run/reopen.ts";
import { runTrail, type Run } from "../run/run-state.ts";
import { documentOf } from "../run/work-document.ts";
import { examineRun, readRun, type Examined, type ExamineOptions } from "./examine-run.ts";
import { openRunTrail } from "./run-journal.ts";

export interface ForkOptions {
  /** Goes on after this step: its name, or its number from 1; 0 is the very beginning. */
  readonly after?: string | number | undefined;
  /** Does this step, and what follows from it, anew. */
  readonly redo?: string | number | undefined;
  /** The checkpoint to fork from, instead of the head. */
  readonly from?: string | undefined;
}

/**
 * Makes a new run from an old one, in which what follows a step is not done yet. The old line stays as it is.
 * The files of dropped results are still there, but nobody vouches for them: they are named in `stale_files`.
 */
export async function forkRun(
  context: Pick<WorkflowContext, "cairn" | "now">,
  id: string,
  options: ForkOptions,
): Promise<Run> {
  const { trail, origin, opened } = await prepare(context, id, options);
  const name = await freeName(context, id);
  const fork = await trail.fork(runTrail(name), {
    id: origin.content_hash,
    trigger: "fork",
    notes: `Fork of run ${id}`,
  });
  const forked: Run = { ...opened, id: name };
  const head = await fork.load();
  await fork.commit(documentOf(forked, head.state), {
    trigger: "run",
    notes: `${forked.workflow}: forked from ${id}`,
  });
  return forked;
}

/** What a fork would be, under the name of the run itself. Changes nothing. */
async function previewFork(
  context: Pick<WorkflowContext, "cairn" | "now">,
  id: string,
  options: ForkOptions,
): Promise<Run> {
  return (await prepare(context, id, options)).opened;
}

/** A fork that is not there yet, looked at from all sides: one that could not go on is better not made. */
export async function examineFork(
  context: WorkflowContext,
  id: string,
  fork: ForkOptions,
  options: ExamineOptions = {},
): Promise<Examined> {
  return examineRun(context, id, { ...options, as: await previewFork(context, id, fork) });
}

async function prepare(context: Pick<WorkflowContext, "cairn" | "now">, id: string, options: ForkOptions) {
  await readRun(context, id);
  const trail = openRunTrail(context, id);
  const origin = await trail.load(options.from);
  const { run } = origin.state;
  if (run === undefined) throw notARun(options.from ?? id);
  const point = pointOf(run, options);
  const step = point && ("redo" in point ? point.redo : (point.after ?? undefined));
  const { runner: _, archived_as: __, ...rest } = point === undefined ? run : dropAfter(run, point);
  const opened: Run = {
    ...rest,
    status: "paused",
    epoch: 1,
    updated_at: context.now().toISOString(),
    forked_from: { run: id, checkpoint: origin.checkpoint_id, ...(step !== undefined && { step }) },
    // The old line may still be moved by its runner, so nothing of what it has under way belongs to this one.
    steps: rest.steps.map((step) =>
      step.status === "running" ? { ...step, status: "pending" as const } : step,
    ),
  };
  return { trail, origin, opened };
}

function pointOf(run: Run, { after, redo }: ForkOptions): ForkPoint | undefined {
  if (redo !== undefined) return { redo: stepNamed(run, redo) };
  if (after === undefined) return undefined;
  return after === 0 || after === "0" ? { after: null } : { after: stepNamed(run, after) };
}

/** A step by its name, or by its number among those that people count: joins are not. */
function stepNamed(run: Run, which: string | number): string {
  const counted = run.definition.filter((step) => step.kind !== "join");
  if (run.definition.some((step) => step.id === which)) return String(which);
  const number = typeof which === "number" || /^\d+$/.test(which) ? Number(which) : undefined;
  const found = number === undefined ? undefined : counted[number - 1];
  if (found) return found.id;
  const meant = closest(
    String(which),
    counted.map((step) => step.id),
  );
  throw new CheckpointError("not-found", `Run "${run.id}" has no step "${which}".`, {
    hint:
      meant === undefined
        ? `Its steps are ${counted
            .slice(0, 10)
            .map((step, index) => `${index + 1} ${step.id}`)
            .join(", ")}.`
        : `Did you mean "${meant}"?`,
    details: { run: run.id, step: which },
  });
}

async function freeName({ cairn }: Pick<WorkflowContext, "cairn">, id: string): Promise<string> {
  const root = id.replace(/~\d+$/, "");
  for (let number = 2; ; number++) {
    if ((await cairn.store.head(runTrail(`${root}~${number}`))) === undefined) return `${root}~${number}`;
  }
}

function notARun(id: string): CheckpointError {
  return new CheckpointError("usage", `"${id}" is not a checkpoint of a run.`, {
    hint: "checkpoint list --trail run/ID",
  });
}
