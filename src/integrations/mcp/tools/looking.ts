import * as z from "zod";
import type { CheckpointInfo } from "../../../checkpoints/document.ts";
import { oneLine, visibleJson } from "../../../text/visible.ts";
import * as diffs from "../../../project/looking/diff.ts";
import * as lists from "../../../project/looking/list.ts";
import * as loads from "../../../project/looking/load.ts";
import { changes, DIFF, LIST, LOAD, SUMMARY } from "../../../project/looking/schemas.ts";
import { summary } from "../../../project/looking/summary.ts";
import { checkpointInfo } from "../../../project/schema-parts.ts";
import { LOOKS, type Tool } from "../tool.ts";
import { withoutLargeParts } from "../without-large-parts.ts";

const loadInput = LOAD.input.extend({
  fields: z
    .array(z.string().max(200))
    .max(50)
    .optional()
    .describe("Only these parts of the state, whole: such as tasks, decisions, variables, commands."),
});

const loadOutput = z.looseObject({
  checkpoint: checkpointInfo,
  state: LOAD.result.shape.state,
  omitted: z
    .array(z.object({ field: z.string(), chars: z.number() }))
    .optional()
    .describe("Large parts that were left out. Name one in fields to get it."),
});

export const load: Tool<typeof loadInput, typeof loadOutput> = {
  name: "load",
  title: "Load a checkpoint",
  description:
    "Everything that a checkpoint holds: the newest one, or the one with this id. For a briefing that fits a context, use handoff.",
  input: loadInput,
  output: loadOutput,
  annotations: LOOKS,
  run: async ({ fields, ...input }, { project }) => {
    const { state, ...checkpoint } = await loads.load(project, input);
    const { parts, omitted } = withoutLargeParts(state, fields);
    const data = { checkpoint, state: parts, ...(omitted.length > 0 ? { omitted } : {}) };
    return { data, text: visibleJson(JSON.stringify(data)) };
  },
};

export const list: Tool<typeof LIST.input, typeof LIST.result> = {
  name: "list",
  title: "List checkpoints",
  description: "The checkpoints of this session's trail, or of all trails, newest first.",
  input: LIST.input,
  output: LIST.result,
  annotations: LOOKS,
  run: async (input, { project }) => {
    const data = await lists.list(project, input);
    return { data: { ...data }, text: data.checkpoints.map(line).join("\n") };
  },
};

function line({ checkpoint_id, created_at, trail, trigger, notes }: CheckpointInfo): string {
  const words = notes === null ? "" : `  ${oneLine(notes)}`;
  return `${checkpoint_id}  ${created_at}  ${trail}  ${oneLine(trigger)}${words}`;
}

const diffOutput = DIFF.result.omit({ changes: true }).extend(changes.shape);

export const diff: Tool<typeof DIFF.input, typeof diffOutput> = {
  name: "diff",
  title: "Compare two checkpoints",
  description:
    "What changed between two checkpoints, in the terms of the work: tasks, phase, variables and the rest.",
  input: DIFF.input,
  output: diffOutput,
  annotations: LOOKS,
  run: async (input, { project }) => {
    const { changes: found, ...pair } = await diffs.diff(project, input);
    const title = `${pair.from.checkpoint_id} → ${pair.to.checkpoint_id}`;
    const words = pair.changed ? visibleJson(JSON.stringify(found)) : "Nothing changed.";
    return { data: { ...pair, ...found }, text: `${title}\n${words}` };
  },
};

const handoffOutput = SUMMARY.result.extend({
  dropped: z.array(z.string()).describe("What did not fit, by its place in the state."),
});

export const handoff: Tool<typeof SUMMARY.input, typeof handoffOutput> = {
  name: "handoff",
  title: "Get the briefing",
  description:
    "The briefing for the next agent on this work, within a token budget: goal, rules, where the work stands, what comes next. Read it first when you take over or after your context was compacted; put it before the task of a subagent.",
  input: SUMMARY.input,
  output: handoffOutput,
  annotations: LOOKS,
  run: async ({ max_tokens: maxTokens, max_chars: maxChars, subagent, ...input }, { project }) => {
    const audience = subagent ? "subagent" : "next-agent";
    const briefing = await summary(project, { ...input, maxTokens, maxChars, audience });
    const { kept: _kept, dropped, ...rest } = briefing;
    return { data: { ...rest, dropped: dropped.map(({ id }) => id).slice(0, 200) }, text: rest.text };
  },
};
