import { CheckpointError } from "../../../core/errors.ts";
import { ago } from "../../../core/text/time.ts";
import { oneLine, visible } from "../../../core/text/visible.ts";
import { status } from "../../../work/project/reading/status.ts";
import { words } from "../../../work/state/words.ts";
import { fit } from "../../../work/terminal/columns.ts";
import type { Context } from "../../../work/terminal/context.ts";
import { labelled, layOut } from "../../../work/terminal/layout.ts";
import type { Output } from "../../../work/terminal/output.ts";
import { progress } from "../../../work/terminal/tasks.ts";

/** Of what is told, so that each part has one line. */
const MOST_COLUMNS = 68;

/** Where the work stands, in a few lines. What cannot be read is said here too, because the first screen always works. */
export async function standing(context: Context, output: Output): Promise<string> {
  try {
    return await linesOf(context, output);
  } catch (error) {
    if (!(error instanceof CheckpointError)) throw error;
    if (error.code === "not-found") return "Nothing is saved in this folder yet. To begin: checkpoint init";
    return `${output.style.red("This folder's checkpoints cannot be read:")} ${visible(error.message)}\nTo see why: checkpoint doctor`;
  }
}

async function linesOf(context: Context, output: Output): Promise<string> {
  const { status: found, state } = await status(context.project, { trail: undefined });
  const { style } = output;
  const { phase } = found;
  const line = (text: string | null) => (text === null ? undefined : fit(oneLine(text), MOST_COLUMNS));
  const now = context.now();
  const live = found.sessions.filter(({ status: each }) => each === "working").length;
  const blocks = [
    labelled("Saved", `${ago(found.checkpoint.created_at, now)}, on trail ${oneLine(found.trail)}`),
    labelled("Goal", line(found.goal)),
    labelled("Phase", phase === null ? undefined : line(`${phase.name}, ${words(phase.status)}`)),
    labelled("Tasks", state.tasks.length > 0 ? progress(state.tasks) : undefined),
    labelled("Next", line(found.next_action)),
    labelled("Agents", live > 0 ? `${live} at work: checkpoint sessions` : undefined),
    ...found.runs_waiting
      .slice(0, 1)
      .map(({ trail, status: each, command }) =>
        labelled("Waits", `${style.yellow(oneLine(trail))} ${words(each)}: ${command}`),
      ),
  ];
  return layOut(blocks, output);
}
