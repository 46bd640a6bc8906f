import { isCheckpointError } from "../../core/errors.ts";
import { isOver, runTrail } from "../../work/state/run-trail.ts";
import type { WorkflowContext } from "../workflow/context.ts";
import type { RunsElsewhere } from "../workflow/elsewhere.ts";
import type { OnEvent } from "../workflow/run/events.ts";
import { decideRun } from "../workflow/runner/decide-run.ts";
import type { OnApproval } from "../workflow/runner/questions.ts";
import { resumeRun } from "../workflow/runner/resume-run.ts";
import { startRun } from "../workflow/runner/start-run.ts";
import type { Play } from "./play.ts";
import { addToLog, callsIn, type Mortal, readLog, Striker } from "./striker.ts";

/** What a runner works with. */
export interface RunnerWorld {
  readonly context: WorkflowContext;
  /** A frozen runner still holds the run. */
  readonly takeOver?: boolean | undefined;
  /** Where workers do the steps. */
  readonly elsewhere?: RunsElsewhere | undefined;
}

const MOST_TURNS = 50;

/**
 * Starts or resumes the run, as a person would: questions are answered, and what failed under a fault is resumed. Resolves with
 * how it ended once nothing strikes any more: the run's status, or why it cannot be resumed.
 */
export async function runnerLife(play: Play, mortal: Mortal, options: RunnerWorld): Promise<string> {
  const { test, run: runId, log } = play;
  const { takeOver = false, elsewhere } = options;
  const striker = new Striker(play, mortal);
  const context = { ...options.context, aroundEngine: striker.around };
  const workflow = test.definition;
  const onEvent: OnEvent = (event) => mortal.isDead() || addToLog(log, event);
  const common = { onEvent, onApproval: answering(play, options, striker) };
  const inputs = Object.fromEntries(
    Object.entries(test.inputs ?? {}).map(([name, value]) => [name, String(value)]),
  );
  const { start, resume } = elsewhere ?? { start: startRun, resume: resumeRun };
  const strikes = () => callsIn(readLog(log)).filter(({ fault }) => fault !== null).length;
  try {
    for (let turns = 0; ; turns++) {
      const before = strikes();
      const isThere = (await context.cairn.store.head(runTrail(runId))) !== undefined;
      const { status } = isThere
        ? await resume(context, runId, { ...common, workflow, takeOver: takeOver && turns === 0 })
        : await start(context, workflow, { ...common, inputs, runId });
      const isStuck = strikes() === before && status !== "awaiting_approval";
      if (isOver(status) || isStuck || turns > MOST_TURNS) return status;
    }
  } catch (error) {
    await striker.rest();
    if (!isCheckpointError(error)) throw error;
    return `stopped: ${error.message}`;
  }
}

/** Answers as the file says. Where a fault strikes, the first answer comes from another terminal. */
function answering(
  { test, run, log }: Play,
  { context, elsewhere }: RunnerWorld,
  striker: Striker,
): OnApproval {
  return async ({ step }) => {
    const fault = striker.called(step.id);
    const option = test.answers?.[step.id] ?? step.options?.[0];
    const answer = { approved: true, by: "chaos", identity: "given", ...(option && { option }) };
    if (fault !== null) {
      const decided = await decideRun(context, run, { ...answer, step: step.id });
      addToLog(log, { type: "answered", step: step.id, option: option ?? null });
      await elsewhere?.move(context, decided.run);
    }
    if (fault === "kill") await striker.die();
    return fault === "contradict" ? { by: "chaos", identity: "given", approved: false } : answer;
  };
}
