import { EXIT_STATUS } from "../../../core/errors.ts";
import { now } from "../../../work/project/saving/now.ts";
import type { CommandOf } from "../command.ts";
import { interruptibleWait } from "../../../work/terminal/interruptible-wait.ts";
import { count } from "../../../work/state/words.ts";

export const watch: CommandOf<"watch"> = async (context, options, output) => {
  const everyMs = options.every ?? 5 * 60_000;
  const project = context.project;
  const pause = interruptibleWait(context);
  let saved = 0;
  output.message(`Watching ${project.root} every ${Math.round(everyMs / 1000)} s. Ctrl-C ends it.`);
  while (!pause.isOver()) {
    const { checkpoint } = await now(project, { trail: options.trail, onlyNews: true, trigger: "watch" });
    if (checkpoint !== null) {
      saved++;
      // A stream: one line, or one document, for each checkpoint.
      if (output.json) output.document("watch", { checkpoint });
      else output.raw(`${checkpoint.checkpoint_id}\n`);
    }
    await pause.wait(everyMs);
  }
  output.message(`Stopped: ${count(saved, "checkpoint")} saved.`);
  return EXIT_STATUS.interrupted;
};
