import * as z from "zod";
import { applySeen, startLooking } from "../../../capture/look.ts";
import type { WorkState } from "../../../checkpoints/work-state.ts";
import { isCheckpointError } from "../../../errors.ts";
import { asList, textOf } from "../../../handoff/untrusted.ts";
import { oneLine } from "../../../handoff/visible.ts";
import type { Desk } from "../desk.ts";
import { checkpointInfo, inLines, MAX_TEXT, messages, sentence, trail, withMessages } from "../schemas.ts";
import { ADDS, SETS, type Call, type Tool } from "../tool.ts";

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

const decideInput = z.strictObject({
  what: sentence.describe("What was decided."),
  why: sentence.optional().describe("The reason: whoever goes on will not ask again."),
  trail,
});

const decideOutput = z.looseObject({
  checkpoint: checkpointInfo,
  decision: z.looseObject({ what: z.string(), why: z.string().nullable() }),
  messages,
});

export const decide: Tool<typeof decideInput, typeof decideOutput> = {
  name: "decide",
  title: "Record a decision",
  description: "Record a decision and its reason, so that the next context neither forgets nor reopens it.",
  input: decideInput,
  output: decideOutput,
  annotations: ADDS,
  run: async ({ what, why = null, trail: typed }, call) => {
    const { desk, server } = call;
    const saved = await desk.save(server, {
      trail: typed,
      trigger: "manual",
      fresh: { what, why },
      change: (state, fresh) => {
        state.decisions.push({ ...fresh, ...desk.signed(call) });
      },
    });
    const decision = saved.state.decisions.at(-1);
    const text = inLines([`Decided: ${oneLine(decision?.what ?? "")}`], saved.messages);
    return { data: { checkpoint: saved.checkpoint, decision, ...withMessages(saved.messages) }, text };
  },
};

const goalInput = z.strictObject({
  goal: sentence.describe("What the work is for, in the person's own words."),
  done_when: z.array(sentence).max(50).optional().describe("What must be true in the end."),
  trail,
});

const goalOutput = z.looseObject({
  checkpoint: checkpointInfo,
  goal: z.string(),
  success_criteria: z.array(z.unknown()),
  messages,
});

export const goal: Tool<typeof goalInput, typeof goalOutput> = {
  name: "goal",
  title: "Set the goal",
  description: "Say what the work is for and when it is done. It stands first in every handoff.",
  input: goalInput,
  output: goalOutput,
  annotations: SETS,
  run: async (input, { desk, server }) => {
    const {
      checkpoint,
      state,
      messages: list,
    } = await desk.save(server, {
      trail: input.trail,
      trigger: "manual",
      fresh: { goal: input.goal, success_criteria: input.done_when ?? [] },
      change: (draft, fresh) => {
        draft.goal = fresh.goal;
        draft.success_criteria = fresh.success_criteria;
      },
    });
    const { goal: set = "", success_criteria } = state;
    const data = { checkpoint, goal: set, success_criteria, ...withMessages(list) };
    return { data, text: inLines([`Goal: ${oneLine(set)}`], list) };
  },
};

const nextInput = z.strictObject({ next_action: sentence.describe("The very next thing to do."), trail });
const nextOutput = z.looseObject({ checkpoint: checkpointInfo, next_action: z.string(), messages });

export const next: Tool<typeof nextInput, typeof nextOutput> = {
  name: "next",
  title: "Set the next action",
  description: "Say what is to be done next, so that whoever goes on starts there and not at the beginning.",
  input: nextInput,
  output: nextOutput,
  annotations: SETS,
  run: async (input, { desk, server }) => {
    const {
      checkpoint,
      state,
      messages: list,
    } = await desk.save(server, {
      trail: input.trail,
      trigger: "manual",
      fresh: { next_action: input.next_action },
      change: (draft, fresh) => {
        draft.next_action = fresh.next_action;
      },
    });
    const { next_action = "" } = state;
    return {
      data: { checkpoint, next_action, ...withMessages(list) },
      text: inLines([`Next: ${oneLine(next_action)}`], list),
    };
  },
};
