import { CheckpointError } from "../../../core/errors.ts";
import type { WorkflowContext } from "../context.ts";
import { defined } from "../../../work/yaml/defined.ts";
import { didYouMean } from "../../../work/yaml/problems.ts";
import { dropAfter, type ForkPoint } from "../run/reopen.ts";
import type { Run } from "../run/run-state.ts";
import { runTrail } from "../../../work/state/run-trail.ts";
import { documentOf } from "../run/work-document.ts";
import { examineRun, loadRun, type ExaminedRun, type ExamineOptions } from "./examine-run.ts";
import { settleOrigin, type SettledOrigin } from "./settle-origin.ts";

export interface ForkOptions {
  /** Continues after this step: its name, or its number from 1; 0 is the very beginning. */
  readonly after?: string | number | undefined;
  /** Repeats this step and everything that follows from it. */
  readonly redo?: string | number | undefined;
  /** The checkpoint to fork from, instead of the head. */
  readonly from?: string | undefined;
}

/**
 * Makes a new run from an old one, in which what follows a step is not done yet. What the old run did stays on record; if
 * it was unfinished, it ends, because the new one does what is left. The files of dropped results still exist, but are no
 * longer vouched for: `stale_files` lists them.
 */
export async function forkRun(
  context: WorkflowContext,
  id: string,
  options: ForkOptions,
): Promise<{ readonly run: Run; readonly origin: SettledOrigin }> {
  const { trail, origin, forked } = await prepareFork(context, id, options);
  const name = await freeName(context, id);
  const fork = await trail.fork(runTrail(name), {
    id: origin.content_hash,
    trigger: "fork",
    notes: `Fork of run ${id}`,
  });
  const run: Run = { ...forked, id: name };
  const head = await fork.load();
  await fork.commit(documentOf(run, head.state), {
    trigger: "run",
    notes: `${run.workflow}: forked from ${id}`,
  });
  return { run, origin: await settleOrigin(context, run) };
}

/** Examines a fork before it is made, under the name of the run itself: one that could not be resumed is not made. */
export async function examineFork(
  context: WorkflowContext,
  id: string,
  fork: ForkOptions,
  options: ExamineOptions = {},
): Promise<ExaminedRun> {
  const { forked } = await prepareFork(context, id, fork);
  return examineRun(context, id, { ...options, as: forked, from: fork.from });
}

async function prepareFork(
  context: Pick<WorkflowContext, "cairn" | "now" | "actor">,
  id: string,
  options: ForkOptions,
) {
  const { trail, head: origin } = await loadRun(context, id, options.from);
  const { run } = origin.state;
  const point = forkPoint(run, options);
  const step = point && ("redo" in point ? point.redo : (point.after ?? undefined));
  const {
    runner: _,
    archived_as: __,
    continued_as: ___,
    ...rest
  } = point === undefined ? run : dropAfter(run, point);
  const forked: Run = {
    ...rest,
    status: "paused",
    epoch: 1,
    ...defined({ started_by: context.actor }),
    updated_at: context.now().toISOString(),
    forked_from: { run: id, checkpoint: origin.checkpoint_id, ...defined({ step }) },
    // A runner may still be running the old run, so nothing that is running there belongs to this one.
    steps: rest.steps.map((state) =>
      state.status === "running" ? { ...state, status: "pending" as const } : state,
    ),
  };
  return { trail, origin, forked };
}

function forkPoint(run: Run, { after, redo }: ForkOptions): ForkPoint | undefined {
  if (redo !== undefined) return { redo: stepNamed(run, redo) };
  if (after === undefined) return undefined;
  return { after: after === 0 || after === "0" ? null : stepNamed(run, after) };
}

/** A step by its name, or by its number. Joins are not counted. */
export function stepNamed(run: Run, which: string | number): string {
  if (run.definition.some((step) => step.id === which)) return String(which);
  const counted = run.definition.filter((step) => step.kind !== "join").map((step) => step.id);
  const found = /^\d+$/.test(String(which)) ? counted[Number(which) - 1] : undefined;
  if (found !== undefined) return found;
  const all = counted.slice(0, 10).map((id, index) => `${index + 1} ${id}`);
  throw new CheckpointError("not-found", `Run "${run.id}" has no step "${which}".`, {
    hint: didYouMean(String(which), counted, `Its steps are ${all.join(", ")}.`),
    details: { run: run.id, step: which },
  });
}

async function freeName({ cairn }: Pick<WorkflowContext, "cairn">, id: string): Promise<string> {
  const root = id.replace(/~\d+$/, "");
  for (let number = 2; ; number++) {
    if ((await cairn.store.head(runTrail(`${root}~${number}`))) === undefined) return `${root}~${number}`;
  }
}
