import * as z from "zod";
import { applySeen, startLooking } from "../../../capture/look.ts";
import type { WorkState } from "../../../checkpoints/work-state.ts";
import { isCheckpointError } from "../../../errors.ts";
import { asList, textOf } from "../../../text/untrusted.ts";
import type { Desk } from "../desk.ts";
import { checkpointInfo, inLines, MAX_TEXT, messages, sentence, trail, withMessages } from "../schemas.ts";
import { ADDS, type Call, type Tool } from "../tool.ts";

const variables = z
  .record(z.string().min(1).max(200), z.union([z.string().max(MAX_TEXT), z.number(), z.boolean()]))
  .optional()
  .describe("Values to keep until they are changed, such as a region or a build number.");

const nowInput = z.strictObject({
  notes: sentence.optional().describe("Why you save, for whoever reads the list."),
  variables,
  trail,
});

const nowOutput = z.looseObject({
  checkpoint: checkpointInfo,
  tasks: z.object({ open: z.number(), over: z.number() }),
  workspace: z
    .unknown()
    .describe("Branch, commit and whether there are changes, as git says; null outside git."),
  files_touched: z.number(),
  messages,
});

export const now: Tool<typeof nowInput, typeof nowOutput> = {
  name: "now",
  title: "Save a checkpoint",
  description:
    "Save where the work stands now: tasks, decisions and variables as they are, with what git says about the files. Call it before something risky and after each step that matters.",
  input: nowInput,
  output: nowOutput,
  annotations: ADDS,
  run: async (input, { desk, server }) => {
    const project = await desk.whereabouts.project(server);
    const warnings: string[] = [];
    const looking = startLooking(desk.world, project, (text) => warnings.push(text));
    const earlier = await lastWorkspace({ desk, server }, input.trail);
    const seen = await looking.finish(await desk.world.settings(project.root), earlier);
    const { checkpoint, state, ...saved } = await desk.save(server, {
      trail: input.trail,
      trigger: "manual",
      notes: input.notes,
      fresh: { ...seen, variables: input.variables ?? {} },
      change: (draft, fresh) => applySeen(draft, fresh, desk.world.now()),
    });
    const list = [...warnings, ...saved.messages];
    const over = asList(state.tasks).filter((task) =>
      /^(completed|cancelled)$/.test(textOf(task, "status") ?? ""),
    );
    const data = {
      checkpoint,
      tasks: { open: asList(state.tasks).length - over.length, over: over.length },
      workspace: state.workspace ?? null,
      files_touched: asList(state.files_touched).length,
      ...withMessages(list),
    };
    return { data, text: inLines([`Saved ${checkpoint.checkpoint_id} on ${checkpoint.trail}.`], list) };
  },
};

/** Where the workspace stood at the last checkpoint, for what was touched since. */
async function lastWorkspace(
  { desk, server }: { desk: Desk; server: Call["server"] },
  typed: string | undefined,
): Promise<WorkState["workspace"]> {
  try {
    return await desk.read(server, typed, async (reading) => (await reading.trail.load()).state.workspace);
  } catch (error) {
    if (isCheckpointError(error, "not-found")) return undefined;
    throw error;
  }
}
