import * as z from "zod";
import { LEVELS, type Level } from "../../../handoff/options.ts";
import { brief } from "../brief.ts";
import { checkpointId, messages, trail, withMessages } from "../schemas.ts";
import { LOOKS, type Tool } from "../tool.ts";

const input = z.strictObject({
  for: z
    .string()
    .max(2000)
    .optional()
    .describe("What the reader will do: what matters for that comes first."),
  level: z
    .enum(Object.keys(LEVELS) as [Level, ...Level[]])
    .optional()
    .describe("How much: 500, 1,000, 2,000 or 4,000 tokens."),
  max_tokens: z.int().min(1).max(100_000).optional(),
  max_chars: z.int().min(1).max(1_000_000).optional(),
  keys: z.array(z.string().max(200)).max(50).optional().describe("Variables or fields that must be in."),
  subagent: z.boolean().default(false).describe("Whether it goes before a subagent's task."),
  id: checkpointId.optional(),
  trail,
});

const output = z.looseObject({
  checkpoint_id: z.string(),
  trail: z.string(),
  text: z.string(),
  tokens: z.unknown(),
  budget: z.object({
    max_tokens: z.number().nullable(),
    max_chars: z.number().nullable(),
    family: z.string(),
  }),
  dropped: z.array(z.string()).describe("What did not fit, by its place in the state."),
  resume_command: z.string(),
  messages,
});

export const handoff: Tool<typeof input, typeof output> = {
  name: "handoff",
  title: "Get the briefing",
  description:
    "The briefing for whoever goes on with this work, within a token budget: goal, rules, where the work stands, what comes next. Read it first when you take over or after your context was compacted; put it before the task of a subagent.",
  input,
  output,
  annotations: LOOKS,
  run: async ({ max_tokens, max_chars, subagent, trail: typed, ...rest }, { desk, server }) =>
    desk.read(server, typed, async (reading) => {
      const {
        text,
        dropped,
        kept: _kept,
        ...briefing
      } = await brief(desk, reading, {
        ...rest,
        maxTokens: max_tokens,
        maxChars: max_chars,
        audience: subagent ? "subagent" : "next-agent",
      });
      const data = {
        ...briefing,
        text,
        dropped: dropped.map(({ id }) => id).slice(0, 200),
        ...withMessages(reading.messages),
      };
      return { data, text };
    }),
};
