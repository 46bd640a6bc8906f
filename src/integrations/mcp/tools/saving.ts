import * as z from "zod";
import { isTaskOver } from "../../../checkpoints/tasks.ts";
import type { CheckpointInfo } from "../../../checkpoints/document.ts";
import { asList } from "../../../text/untrusted.ts";
import * as verbs from "../../../project/saving/now.ts";
import { NOW } from "../../../project/saving/schemas.ts";
import { checkpointInfo } from "../../../project/schema-parts.ts";
import { ADDS, type Tool } from "../tool.ts";

const output = z.looseObject({
  checkpoint: checkpointInfo,
  tasks: z.object({ open: z.number(), over: z.number() }),
  workspace: z
    .unknown()
    .describe("Branch, commit and whether there are changes, as git says; null outside git."),
  files_touched: z.number(),
});

export const now: Tool<typeof NOW.input, typeof output> = {
  name: "now",
  title: "Save a checkpoint",
  description:
    "Save where the work stands now: tasks, decisions and variables as they are, with what git says about the files. Call it before something risky and after each step that matters.",
  input: NOW.input,
  output,
  annotations: ADDS,
  run: async (input, { project }) => {
    const { checkpoint: saved, state } = await verbs.now(project, input);
    const checkpoint = saved as CheckpointInfo;
    const tasks = asList(state.tasks);
    const over = tasks.filter(isTaskOver).length;
    const data = {
      checkpoint,
      tasks: { open: tasks.length - over, over },
      workspace: state.workspace ?? null,
      files_touched: asList(state.files_touched).length,
    };
    return { data, text: `Saved ${checkpoint.checkpoint_id} on ${checkpoint.trail}.` };
  },
};
