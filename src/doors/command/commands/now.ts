import type { CheckpointInfo } from "../../../core/trails/document.ts";
import type { WorkState } from "../../../work/state/work-state.ts";
import { asList, textOf } from "../../../core/text/untrusted.ts";
import { oneLine } from "../../../core/text/visible.ts";
import * as verbs from "../../../work/project/saving/now.ts";
import type { CommandOf } from "../command.ts";
import { checkpointDocument } from "../../../work/terminal/checkpoint.ts";
import { progress } from "../../../work/terminal/tasks.ts";
import { count, filesTouched, gitLine, phaseWords, words } from "../../../work/state/words.ts";

export const now: CommandOf<"now"> = async (context, options, output) => {
  const { trail, notes } = options;
  const variables = Object.fromEntries(options.var);
  const saved = await verbs.now(context.project, { trail, notes, variables });
  const { state } = saved;
  const info = saved.checkpoint as CheckpointInfo;
  if (output.json) return output.result(await checkpointDocument(info, state), "");
  output.result({}, info.checkpoint_id);
  output.message(savedLine(info.trail, state));
};

/** What was saved, in one line. */
function savedLine(trail: string, state: WorkState): string {
  const down = asList(state.dependencies).filter((item) => textOf(item, "status") !== "available");
  const parts = [
    state.phase && oneLine(`${phaseWords(state.phase)} (${words(textOf(state.phase, "status") ?? "?")})`),
    state.tasks.length > 0 && `tasks: ${progress(state.tasks)}`,
    state.workspace &&
      `git: ${gitLine(state.workspace).join("")}, ${count(filesTouched(state), "file")} touched`,
    ...down.map((item) => oneLine(`${textOf(item, "name")} is ${textOf(item, "status")}`)),
  ].filter(Boolean);
  return `Saved on ${trail}${parts.length > 0 ? `; ${parts.join("; ")}` : ""}.`;
}
