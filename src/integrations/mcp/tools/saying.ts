import * as z from "zod";
import type { WorkState } from "../../../checkpoints/work-state.ts";
import { oneLine } from "../../../text/visible.ts";
import type { Saved } from "../desk.ts";
import { checkpointInfo, inLines, messages, sentence, trail, withMessages } from "../schemas.ts";
import { ADDS, type Answer, type Call, SETS, type Tool } from "../tool.ts";

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
    const data = { checkpoint: saved.checkpoint, decision };
    return answered(saved, data, `Decided: ${oneLine(decision?.what ?? "")}`);
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
  run: async ({ goal: wanted, done_when = [], trail: typed }, call) => {
    const saved = await setParts(call, typed, { goal: wanted, success_criteria: done_when });
    const { goal: set = "", success_criteria } = saved.state;
    const data = { checkpoint: saved.checkpoint, goal: set, success_criteria };
    return answered(saved, data, `Goal: ${oneLine(set)}`);
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
  run: async ({ next_action: wanted, trail: typed }, call) => {
    const saved = await setParts(call, typed, { next_action: wanted });
    const { next_action = "" } = saved.state;
    return answered(saved, { checkpoint: saved.checkpoint, next_action }, `Next: ${oneLine(next_action)}`);
  },
};

async function setParts(
  { desk, server }: Call,
  typed: string | undefined,
  fresh: Partial<WorkState>,
): Promise<Saved> {
  return desk.save(server, {
    trail: typed,
    trigger: "manual",
    fresh,
    change: (draft, clean) => void Object.assign(draft, clean),
  });
}

function answered({ messages: said }: Saved, data: Record<string, unknown>, line: string): Answer {
  return { data: { ...data, ...withMessages(said) }, text: inLines([line], said) };
}
