import type { WorkflowContext } from "../context.ts";
import type { Run } from "../run/run-state.ts";
import type { RunnerOptions } from "../runner/runner.ts";
import type { Context } from "../../../work/terminal/context.ts";
import type { Output } from "../../../work/terminal/output.ts";
import type { KnownSteps } from "./live-progress.ts";
import { mayAnswerRun } from "../../../work/project/answering.ts";
import { outcomeOf } from "../verbs/run-outcome.ts";
import { outcomeText } from "./outcome.ts";
import { eventLine } from "./event-line.ts";
import { liveView, type RunView } from "./live-view.ts";

type RunHandlers = Pick<RunnerOptions, "onEvent" | "onApproval" | "signal">;

export interface Watching {
  readonly context: Context;
  readonly workflows: WorkflowContext;
  readonly output: Output;
  /** Ctrl-C only ends the watching: workers go on. */
  readonly leaves?: boolean;
}

const INTERRUPTED = 130;

/** Shows a run while it goes on, lets Ctrl-C pause it, and says in the end how it stands. Returns the exit status. */
export async function watchRun(
  { context, workflows, output, leaves = false }: Watching,
  steps: KnownSteps,
  work: (watched: RunHandlers) => Promise<Run>,
): Promise<number> {
  const pause = new AbortController();
  const view = runView(context, output, steps);
  let id: string | undefined;
  context.onInterrupt(() => {
    if (!leaves) view.pausing();
    pause.abort();
    return id === undefined ? "" : `To continue: checkpoint resume ${id}\n`;
  });
  const onEvent: RunView["onEvent"] = (event) => {
    id = event.run;
    view.onEvent(event);
  };
  let run: Run;
  try {
    run = await work({ onEvent, onApproval: view.onApproval, signal: pause.signal });
  } finally {
    view.close();
  }
  if (leaves && pause.signal.aborted && run.status === "running") {
    output.message(`Stopped watching. Workers continue the run: checkpoint runs watch ${run.id}`);
    return INTERRUPTED;
  }
  const mayAnswer = await mayAnswerRun(context.project, run);
  const outcome = outcomeOf(workflows, run, { mayAnswer });
  output.result({ run: outcome, plan: null }, () =>
    outcomeText(outcome, output, { isSeen: isOneTerminal(output) }),
  );
  return outcome.exit_status;
}

/** Messages and the result come to the same eyes. */
const isOneTerminal = ({ isWatched, columns }: Output) => isWatched && columns !== undefined;

/** A live view on a terminal, events for programs, plain lines otherwise. */
export function runView(context: Context, output: Output, steps: KnownSteps): RunView {
  const still = { onApproval: undefined, close: () => {} };
  if (output.json)
    return { ...still, onEvent: (event) => output.document("run event", event), pausing: () => {} };
  if (output.isWatched && context.env["TERM"] !== "dumb") return liveView(context, output, steps);
  return {
    ...still,
    onEvent: (event) => {
      const line = eventLine(event, output.messageStyle, context.now());
      if (line !== undefined) output.message(line);
    },
    pausing: () =>
      output.message("Pausing: running steps are being stopped. Press Ctrl-C again to quit at once."),
  };
}
