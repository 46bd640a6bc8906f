import * as z from "zod";
import { oneLine } from "../../../handoff/visible.ts";
import { checkpointInfo, inLines, messages, sentence, trail, withMessages } from "../schemas.ts";
import { ADDS, SETS, type Tool } from "../tool.ts";

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
