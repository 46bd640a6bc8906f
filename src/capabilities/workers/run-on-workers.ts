import { insteadOf } from "../../core/errors.ts";
import type { WorkflowContext } from "../workflow/context.ts";
import type { Workflow } from "../workflow/definition/types.ts";
import type { ResumeElsewhereOptions, WatchOptions } from "../workflow/elsewhere.ts";
import { attemptFolder } from "../workflow/engine/attempt-folder.ts";
import { endingOf, eventsBetween, openingOf } from "../workflow/run/events-between.ts";
import { reopen } from "../workflow/run/reopen.ts";
import { changedSteps, stateOf, stepsWith, type Run } from "../workflow/run/run-state.ts";
import { isOver, runTrail } from "../../work/state/run-trail.ts";
import { changeRun } from "../workflow/runner/change-run.ts";
import { decideRun } from "../workflow/runner/decide-run.ts";
import { examineRun, readRun } from "../workflow/runner/examine-run.ts";
import { assertResumable } from "../workflow/runner/resume-run.ts";
import { runFolder } from "../workflow/runner/run-folder.ts";
import { settleOrigin } from "../workflow/runner/settle-origin.ts";
import { approvalQuestion } from "../workflow/runner/questions.ts";
import type { StartOptions } from "../workflow/runner/start-run.ts";
import { watchOver } from "./claims.ts";
import type { Cluster } from "./cluster.ts";
import { pauseRun } from "../workflow/runner/pause-run.ts";
import { moveRun } from "./move-run.ts";
import { beginRun } from "./submit-run.ts";

/** Starts a run whose steps are done by workers, and watches it as long as `startRun` would stay. */
export async function startOnWorkers(
  context: WorkflowContext,
  cluster: Cluster,
  workflow: Workflow,
  options: StartOptions & WatchOptions = {},
): Promise<Run> {
  const run = await beginRun(context, cluster, workflow, options);
  options.onEvent?.(openingOf("run-started", run));
  return watchOnWorkers(context, cluster, run, options);
}

/** Sets a run of workers going again: what failed may run again. It stays on its commit unless another one is given. */
export async function resumeOnWorkers(
  context: WorkflowContext,
  cluster: Cluster,
  id: string,
  options: ResumeElsewhereOptions = {},
): Promise<Run> {
  const { commit } = options;
  const as = commit === undefined ? undefined : { ...(await readRun(context, id)), git_head: commit };
  // What runs at workers goes on: there is no runner whose place could be taken.
  const examined = await examineRun(context, id, { ...options, as, takeOver: true, mayLoadPrograms: true });
  if (examined.run.status === "completed") return examined.run;
  assertResumable(examined, options);
  if (examined.run.epoch === 1) await settleOrigin(context, examined.run);
  // What runs now has the files of the old commit.
  if (commit !== undefined && isUnderWay(examined.run))
    await pauseRun(context, id, `It moves to commit ${commit}.`);
  const { pid, host } = context;
  const run = await changeRun(context, id, async (before) => {
    const isMoving = before.status === "running" || before.status === "awaiting_approval";
    const reopened = reopen(before, {
      epoch: before.epoch + 1,
      runner: { pid, host, since: context.now().toISOString() },
      isExplicit: options.isExplicit ?? true,
      // The steps that workers run now are the ones of the definition that they started with.
      definition: isMoving ? undefined : examined.workflow,
      jobs: options.jobs,
    });
    const moved = commit === undefined ? "" : `, on commit ${commit.slice(0, 12)}`;
    const notes = `${before.workflow}: resumed, epoch ${reopened.epoch}${moved}`;
    return { run: { ...reopened, ...(commit && { git_head: commit }) }, trigger: "run", notes };
  });
  options.onEvent?.(openingOf("run-resumed", run));
  await watchOver(cluster.database, id);
  await moveRun(context, cluster, id);
  return watchOnWorkers(context, cluster, run, options);
}

/** After somebody decided about a run, or ended it: what follows is started or stopped. Does nothing for other runs. */
export async function moveIfOnWorkers(
  context: WorkflowContext,
  cluster: Cluster | undefined,
  { id, runs_on }: Run,
): Promise<void> {
  if (runs_on !== "workers") return;
  // Looked at in a copy of the store: no worker would ever see it.
  if (cluster === undefined) return;
  await watchOver(cluster.database, id);
  await moveRun(context, cluster, id);
}

const isUnderWay = ({ status }: Run): boolean => status === "running" || status === "awaiting_approval";

/** Tells what happens to a run until it is over or waits for a person. Ending the watching changes nothing. */
async function watchOnWorkers(
  context: WorkflowContext,
  cluster: Cluster,
  from: Run,
  options: WatchOptions,
): Promise<Run> {
  const { onEvent, onApproval, signal, waitForApproval = false, pausesOnSignal = false } = options;
  const { id } = from;
  const asked = new Set<string>();
  let run = from;
  let head: string | undefined;
  /** Whether an answer was given, so that the run has moved on. */
  const ask = async (now: Run): Promise<boolean> => {
    let isAnswered = false;
    for (const step of onApproval === undefined ? [] : stepsWith(now, "awaiting_approval")) {
      if (asked.has(step.id)) continue;
      asked.add(step.id);
      const answer = await onApproval!(approvalQuestion(now, step));
      if (answer === undefined) continue;
      // Another terminal may have been quicker: then its answer holds, as it does with a local runner.
      const decided = await decideRun(context, id, { ...answer, step: step.id }).catch(
        insteadOf("conflict", undefined),
      );
      if (decided !== undefined) await moveIfOnWorkers(context, cluster, decided.run);
      isAnswered = true;
    }
    return isAnswered;
  };
  for (;;) {
    const newest = await cluster.heads.next(runTrail(id), head, signal);
    if (newest !== head) {
      head = newest;
      const before = run;
      run = await readRun(context, id);
      for (const step of changedSteps(before, run)) {
        const { status, attempt } = stateOf(run, step.id);
        const { output } = attemptFolder(runFolder(context, id), step.id, attempt);
        if (status === "running")
          onEvent?.({ type: "step-started", run: id, step: step.id, attempt, output, reattached: false });
      }
      for (const event of eventsBetween(before, run)) onEvent?.(event);
      if (await ask(run)) continue;
    }
    const isWaiting = run.status === "awaiting_approval" && !waitForApproval;
    if (isOver(run.status) || run.status === "failed" || run.status === "paused" || isWaiting) break;
    if (signal?.aborted) {
      if (!pausesOnSignal) return run;
      run = await pauseRun(context, id, "Stopped with Ctrl-C.");
      break;
    }
  }
  onEvent?.(endingOf(run));
  return run;
}
