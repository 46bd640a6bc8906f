import type { OnEvent } from "../run/events.ts";
import type { OnApproval } from "../runner/questions.ts";
import { cleanNotes } from "../../../work/project/commit-work.ts";
import { gatedAnswers } from "../verbs/gated-answers.ts";
import type { Context } from "../../../work/terminal/context.ts";
import type { Output } from "../../../work/terminal/output.ts";
import { Drawing } from "./drawing.ts";
import { eventLine } from "./event-line.ts";
import { liveFrame } from "./live-frame.ts";
import { LiveProgress, type KnownSteps } from "./live-progress.ts";
import { TypedAnswers } from "./typed-answers.ts";

/** How a run is watched while it goes on. */
export interface RunView {
  readonly onEvent: OnEvent;
  /** Answers questions when a person is at the terminal. */
  readonly onApproval: OnApproval | undefined;
  /** Says that the run is about to pause. */
  pausing(): void;
  /** Leaves the terminal as it was found. */
  close(): void;
}

const TICK_MS = 100;

/** What a person sees on a terminal: what is over stays above, what goes on moves below it. */
export function liveView(context: Context, output: Output, steps: KnownSteps): RunView {
  const { messageStyle: style } = output;
  const { terminal } = context;
  const drawing = new Drawing((text) => output.draw(text));
  const progress = new LiveProgress(steps, context.now);
  const answers = new TypedAnswers(context, () => show());
  let turn = 0;
  let isClosed = false;

  const show = (line?: string) => {
    if (isClosed) return;
    const options = { ...terminal.size(), style, nowMs: context.now().getTime(), turn };
    drawing.show(liveFrame(progress.state(answers.asked), options), options.columns, line);
  };
  // Moves from the first event on: what is said before that stays above.
  let timer: NodeJS.Timeout | undefined;
  const begin = () => {
    timer ??= setInterval(() => {
      turn++;
      show();
    }, TICK_MS);
  };
  const untidy = terminal.atEnd(() => drawing.clear());

  const onApproval = gatedAnswers(context.project, async (question) => {
    const answer = await answers.ask(question);
    if (answer?.reason === undefined) return answer;
    const { notes: reason = "" } = await cleanNotes(context.project, answer.reason);
    return { ...answer, reason };
  });
  return {
    onEvent: (event) => {
      begin();
      progress.note(event);
      if (event.type === "approval-decided") answers.forget(event.step);
      // The live part shows what starts, and a question that can be answered here.
      const isBelow =
        event.type === "step-started" || (event.type === "approval-asked" && context.isInteractive);
      show(isBelow ? undefined : eventLine(event, style, context.now()));
    },
    onApproval: context.isInteractive ? onApproval : undefined,
    pausing: () => {
      answers.close();
      progress.pause();
      if (timer !== undefined) show();
    },
    close: () => {
      clearInterval(timer);
      answers.close();
      isClosed = true;
      drawing.clear();
      untidy();
    },
  };
}
