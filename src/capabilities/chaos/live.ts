import { CheckpointError } from "../../core/errors.ts";
import { runTrail } from "../../work/state/run-trail.ts";
import type { WorkflowContext } from "../workflow/context.ts";
import type { Step } from "../workflow/definition/types.ts";
import { stepsWith, type Run } from "../workflow/run/run-state.ts";
import { decideRun } from "../workflow/runner/decide-run.ts";
import { readRun } from "../workflow/runner/examine-run.ts";
import type { ApprovalAnswer, OnApproval } from "../workflow/runner/questions.ts";
import { resumeRun } from "../workflow/runner/resume-run.ts";
import { startRun } from "../workflow/runner/start-run.ts";
import type { ChaosTest } from "./chaos-file.ts";
import { faultAt, type Striking, strikingEngine } from "./striking-engine.ts";

export const RUN_ID = "chaos";

/** One life of a runner: what it works with, and what strikes it. */
export interface RunnerLife {
  readonly context: WorkflowContext;
  readonly test: ChaosTest;
  readonly striking: Striking;
  /** A frozen runner still holds the run. */
  readonly takeOver?: boolean;
}

/**
 * Starts or resumes the run, as a person would: questions are answered, and what failed under a fault is resumed. Resolves with
 * how it ended once nothing strikes any more: the run's status, or why it cannot be resumed.
 */
export async function live({ context, test, striking, takeOver }: RunnerLife): Promise<string> {
  const { definition: workflow, inputs = {} } = test;
  const { log, schedule } = striking;
  let rest = async () => {};
  const struckContext: WorkflowContext = {
    ...context,
    aroundEngine: (engine) => {
      const around = strikingEngine(engine, striking);
      ({ rest } = around);
      return around;
    },
  };
  const options = {
    workflow,
    onEvent: (event: Parameters<typeof log.add>[0]) => striking.isDead() || log.add(event),
    onApproval: answering(struckContext, test, { ...striking, rest: () => rest() }),
    inputs: Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, String(value)])),
  };
  const exists = async () => (await context.cairn.store.head(runTrail(RUN_ID))) !== undefined;
  for (let turns = 0; ; turns++) {
    const strikes = log.strikes;
    try {
      const isResumed = await exists();
      if (isResumed) await answerAll(struckContext, test, striking);
      const { inputs: _, ...resuming } = options;
      const run = isResumed
        ? await resumeRun(struckContext, RUN_ID, {
            ...resuming,
            ...(takeOver && turns === 0 && { takeOver }),
          })
        : await startRun(struckContext, workflow, { ...options, runId: RUN_ID });
      const isOver = run.status === "completed" || run.status === "cancelled";
      const isStuck = log.strikes === strikes && run.status !== "awaiting_approval";
      if (isOver || isStuck || turns > 2 * schedule.length + 20) return run.status;
    } catch (error) {
      await rest();
      if (!(error instanceof CheckpointError)) throw error;
      return `stopped: ${error.message}`;
    }
  }
}

function answerOf({ answers = {} }: ChaosTest, { id, options }: Step): ApprovalAnswer {
  const option = answers[id] ?? options?.[0];
  return { approved: true, by: "chaos", identity: "given", ...(options && { option }) };
}

/** Answers while the runner lives; where a fault strikes, from another terminal, or after the runner's death. */
function answering(
  context: WorkflowContext,
  test: ChaosTest,
  { log, schedule, die, rest }: Striking & { readonly rest: () => Promise<void> },
): OnApproval {
  return async ({ run, step }) => {
    const call = log.callsOf(step.id) + 1;
    const fault = faultAt(schedule, step.id, call);
    log.add({ type: "called", step: step.id, call, fault, unanswered: [] });
    const answer = answerOf(test, step);
    if (fault === "kill") await die(rest);
    if (fault === "twice" || fault === "contradict")
      await decideRun(context, run.id, { ...answer, step: step.id });
    return fault === "contradict" ? { by: "chaos", identity: "given", approved: false } : answer;
  };
}

/** Answers what was left open by a runner that is gone. */
async function answerAll(context: WorkflowContext, test: ChaosTest, { log }: Striking): Promise<void> {
  const run: Run = await readRun(context, RUN_ID);
  for (const step of stepsWith(run, "awaiting_approval")) {
    const answer = answerOf(test, step);
    await decideRun(context, run.id, { ...answer, step: step.id });
    log.add({ type: "answered", step: step.id, option: answer.option ?? null });
  }
}
