import * as z from "zod";
import type { CheckpointInfo } from "../../../core/trails/document.ts";
import { oneLine, visibleJson } from "../../../core/text/visible.ts";
import * as diffs from "../../../work/project/reading/diff.ts";
import * as lists from "../../../work/project/reading/list.ts";
import * as loads from "../../../work/project/reading/load.ts";
import { DIFF, LIST, LOAD, SUMMARY } from "../../../work/project/reading/schemas.ts";
import { summary } from "../../../work/project/reading/summary.ts";
import * as plans from "../../../capabilities/workflow/verbs/runs.ts";
import { RESUME_PLAN, RUNS } from "../../../capabilities/workflow/verbs/schemas.ts";
import { LOOKS, tool } from "../tool.ts";
import { withoutLargeParts } from "../without-large-parts.ts";

export const load = tool({
  name: "load",
  title: "Load a checkpoint",
  description:
    "Everything that a checkpoint holds: the newest one, or the one with this id. For a briefing that fits a context, use handoff.",
  input: LOAD.input.extend({
    fields: z
      .array(z.string().max(200))
      .max(50)
      .optional()
      .describe("Only these parts of the state, whole: such as tasks, decisions, variables, commands."),
  }),
  annotations: LOOKS,
  run: async ({ fields, ...input }, { project }) => {
    const { state, ...checkpoint } = await loads.load(project, input);
    const { parts, omitted } = withoutLargeParts(state, fields);
    return { checkpoint, state: parts, ...(omitted.length > 0 ? { omitted } : {}) };
  },
  text: (result) => visibleJson(JSON.stringify(result)),
});

export const list = tool({
  name: "list",
  title: "List checkpoints",
  description: "The checkpoints of this session's trail, or of all trails, newest first.",
  input: LIST.input,
  annotations: LOOKS,
  run: (input, { project }) => lists.list(project, input),
  text: ({ checkpoints }) => checkpoints.map(line).join("\n"),
});

function line({ checkpoint_id, created_at, trail, trigger, notes }: CheckpointInfo): string {
  const words = notes === null ? "" : `  ${oneLine(notes)}`;
  return `${checkpoint_id}  ${created_at}  ${trail}  ${oneLine(trigger)}${words}`;
}

export const diff = tool({
  name: "diff",
  title: "Compare two checkpoints",
  description:
    "What changed between two checkpoints, in the terms of the work: tasks, phase, variables and the rest.",
  input: DIFF.input,
  annotations: LOOKS,
  run: async (input, { project }) => {
    const { changes: found, ...pair } = await diffs.diff(project, input);
    return { ...pair, ...found };
  },
  text: ({ from, to, changed, ...found }) => {
    const words = changed ? visibleJson(JSON.stringify(found)) : "Nothing changed.";
    return `${from.checkpoint_id} → ${to.checkpoint_id}\n${words}`;
  },
});

export const handoff = tool({
  name: "handoff",
  title: "Get the briefing",
  description:
    "The briefing for the next agent on this work, within a token budget: goal, rules, where the work stands, what comes next. Read it first when you take over or after your context was compacted; put it before the task of a subagent.",
  input: SUMMARY.input,
  annotations: LOOKS,
  run: async ({ max_tokens: maxTokens, max_chars: maxChars, subagent, ...input }, { project }) => {
    const audience = subagent ? "subagent" : "next-agent";
    const briefing = await summary(project, { ...input, maxTokens, maxChars, audience });
    const { kept: _kept, dropped, ...rest } = briefing;
    return { ...rest, dropped: dropped.map(({ id }) => id).slice(0, 200) };
  },
  text: (briefing) => briefing.text,
});

export const runs = tool({
  name: "runs",
  title: "List the runs",
  description:
    "The runs of workflows in this project: how far each is, what comes next, and which can go on.",
  input: RUNS.input,
  annotations: LOOKS,
  run: async (input, { project }) => ({ runs: await plans.runs(project, input) }),
  text: ({ runs: found }) => {
    const lines = found.map(({ id, workflow, status, completed, total, next }) =>
      oneLine(
        `${id}  ${workflow}  ${status}  ${completed}/${total}${next.length > 0 ? `  next: ${next.join(", ")}` : ""}`,
      ),
    );
    return lines.length === 0 ? "No runs." : lines.join("\n");
  },
});

export const resumePlan = tool({
  name: "resume_plan",
  title: "Plan a resume",
  description:
    "What resuming a run would do: what is kept, what runs next and why, and whether anything speaks against it. Changes nothing.",
  input: RESUME_PLAN.input,
  annotations: LOOKS,
  run: (input, { project }) => plans.resumePlan(project, input),
  text: ({ run_id, status, can_resume, resume_check, steps }) => {
    const first = `${run_id} is ${status}; ${can_resume ? "it can go on" : "it cannot go on"} (${resume_check.verdict}).`;
    return [first, ...steps.map(({ id, action, reason }) => oneLine(`${action}  ${id}: ${reason}`))].join(
      "\n",
    );
  },
});
