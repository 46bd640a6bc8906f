import { followRun } from "../verbs/follow-run.ts";
import { openRuns } from "../verbs/open-runs.ts";
import { mayAnswerRun } from "../../../work/project/answering.ts";
import { outcomeOf } from "../verbs/run-outcome.ts";
import { oneLine } from "../../../core/text/visible.ts";
import type { WorkflowContext } from "../context.ts";
import { attemptFolder } from "../engine/attempt-folder.ts";
import type { RunEvent } from "../run/events.ts";
import { eventsBetween } from "../run/events-between.ts";
import { isMet, stateOf, stepsWith, type Run } from "../run/run-state.ts";
import { findRunId } from "../runner/find-run-id.ts";
import { runFolder } from "../runner/run-folder.ts";
import type { WorkflowCommand } from "../verbs.ts";
import { outcomeText } from "../terminal/outcome.ts";
import { runView } from "../terminal/watch-run.ts";

export const runsWatch: WorkflowCommand<"runs watch"> = async (context, options, output) => {
  const workflows = await openRuns(context.project, "read");
  const id = await findRunId(workflows, options.run);
  let before: Run | undefined;
  let view: ReturnType<typeof runView> | undefined;
  try {
    for await (const run of followRun(context.project, workflows, id)) {
      view ??= runView({ ...context, isInteractive: false }, output, {
        steps: run.definition,
        done: new Set(
          run.definition.filter((step) => isMet(step, stateOf(run, step.id))).map(({ id }) => id),
        ),
        mask: (text) => text,
        ctrlC: "Ctrl-C leaves it",
      });
      const events = before === undefined ? [] : eventsBetween(before, run);
      for (const event of [...events, ...startsBetween(workflows, before, run)]) view.onEvent(event);
      before = run;
    }
  } finally {
    view?.close();
  }
  const mayAnswer = await mayAnswerRun(context.project, before!);
  const outcome = outcomeOf(workflows, before!, { mayAnswer });
  if (outcome.status === "running")
    output.message(`Its runner died. To continue: checkpoint resume ${oneLine(id)}`);
  output.result({ run: outcome, plan: null }, () => outcomeText(outcome, output, { isSeen: false }));
  return outcome.exit_status;
};

/** The attempts that began between two states; all that are under way where there is none before. */
function startsBetween(workflows: WorkflowContext, before: Run | undefined, run: Run): RunEvent[] {
  return stepsWith(run, "running").flatMap(({ id: step }) => {
    const { attempt } = stateOf(run, step);
    const old = before && stateOf(before, step);
    if (old?.status === "running" && old.attempt === attempt) return [];
    const { output } = attemptFolder(runFolder(workflows, run.id), step, attempt);
    return [{ type: "step-started", run: run.id, step, attempt, reattached: before === undefined, output }];
  });
}
