import type { OnEvent } from "../../workflow/run/events.ts";
import type { OnApproval } from "../../workflow/runner/questions.ts";
import type { Context } from "../context.ts";
import type { Output } from "../output.ts";
import { eventLine } from "../view/event-line.ts";
import type { KnownSteps } from "./live-progress.ts";
import { liveView } from "./live-view.ts";

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

/** A live view on a terminal, events for programs, plain lines otherwise. */
export function runView(context: Context, output: Output, steps: KnownSteps): RunView {
  if (output.json)
    return still(
      (event) => output.document("run event", event),
      () => {},
    );
  if (output.isWatched && context.env["TERM"] !== "dumb") return liveView(context, output, steps);
  return still(
    (event) => {
      const line = eventLine(event, output.messageStyle, context.now());
      if (line !== undefined) output.message(line);
    },
    () => output.message("Pausing: what runs is ended. Ctrl-C again ends at once."),
  );
}

function still(onEvent: OnEvent, pausing: () => void): RunView {
  return { onEvent, onApproval: undefined, pausing, close: () => {} };
}
