import type { CheckpointInfo } from "../../../core/trails/document.ts";
import { readWorkState } from "../../../work/state/work-state.ts";
import { oneLine } from "../../../core/text/visible.ts";
import * as verbs from "../../../work/project/saving/now.ts";
import type { CommandOf } from "../command.ts";
import { checkpointDocument } from "../../../work/terminal/checkpoint.ts";
import { progress } from "../../../work/terminal/tasks.ts";
import { count, filesTouched, gitLine, phaseWords, words } from "../../../work/state/words.ts";

export const now: CommandOf<"now"> = async (context, options, output) => {
  const { trail, notes, files } = options;
  const variables = Object.fromEntries(options.var);
  const saved = await verbs.now(context.project, { trail, notes, files, variables });
  const { state } = saved;
  const info = saved.checkpoint as CheckpointInfo;
  if (output.json) return output.result(await checkpointDocument(info, state), "");
  output.result({}, info.checkpoint_id);
  output.message(savedLine(info.trail, state));
};

/** What was saved, in one line. */
function savedLine(trail: string, stored: object): string {
  const state = readWorkState(stored);
  const { phase, tasks, workspace, dependencies } = state;
  const down = dependencies.filter(({ status }) => status !== "available");
  const parts = [
    phase && oneLine(`${phaseWords(phase)} (${words(phase.status)})`),
    tasks.length > 0 && `tasks: ${progress(tasks)}`,
    workspace && `git: ${gitLine(workspace).join("")}, ${count(filesTouched(state), "file")} touched`,
    ...down.map(({ name, status }) => oneLine(`${name} is ${status}`)),
  ].filter(Boolean);
  return `Saved on ${trail}${parts.length > 0 ? `; ${parts.join("; ")}` : ""}.`;
}
