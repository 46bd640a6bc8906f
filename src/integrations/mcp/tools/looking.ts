import * as z from "zod";
import { cachedReader, diffCheckpoints } from "../../../checkpoints/diff/diff-checkpoints.ts";
import { findPair } from "../../../checkpoints/diff/find-pair.ts";
import { isEmpty } from "../../../checkpoints/diff/work-diff.ts";
import type { CheckpointInfo } from "../../../checkpoints/document.ts";
import { oneLine, visibleJson } from "../../../text/visible.ts";
import { checkpointId, checkpointInfo, inLines, messages, trail, withMessages } from "../schemas.ts";
import { LOOKS, type Tool } from "../tool.ts";
import { withoutLargeParts } from "../without-large-parts.ts";

const loadInput = z.strictObject({
  id: checkpointId.optional(),
  fields: z
    .array(z.string().max(200))
    .max(50)
    .optional()
    .describe("Only these parts of the state, whole: such as tasks, decisions, variables, commands."),
  trail,
});

const loadOutput = z.looseObject({
  checkpoint: checkpointInfo,
  state: z.looseObject({}).describe("Goal, tasks, decisions, variables and all else that was recorded."),
  omitted: z
    .array(z.object({ field: z.string(), chars: z.number() }))
    .optional()
    .describe("Large parts that were left out. Name one in fields to get it."),
  messages,
});

export const load: Tool<typeof loadInput, typeof loadOutput> = {
  name: "load",
  title: "Load a checkpoint",
  description:
    "Everything that a checkpoint holds: the newest one, or the one with this id. For a briefing that fits a context, use handoff.",
  input: loadInput,
  output: loadOutput,
  annotations: LOOKS,
  run: async ({ id, fields, trail: typed }, { desk, server }) =>
    desk.read(server, typed, async (reading) => {
      const { state, ...info } = await reading.trail.load(id);
      const { parts, omitted } = withoutLargeParts(state, fields);
      const data = {
        checkpoint: info,
        state: parts,
        ...(omitted.length > 0 ? { omitted } : {}),
        ...withMessages(reading.messages),
      };
      return { data, text: visibleJson(JSON.stringify(data)) };
    }),
};

const listInput = z.strictObject({
  limit: z.int().min(1).max(200).default(20),
  all: z.boolean().default(false).describe("Those of all trails."),
  trail,
});

const listOutput = z.looseObject({
  trail: z.string().nullable(),
  checkpoints: z.array(checkpointInfo),
  messages,
});

export const list: Tool<typeof listInput, typeof listOutput> = {
  name: "list",
  title: "List checkpoints",
  description: "The checkpoints of this session's trail, or of all trails, newest first.",
  input: listInput,
  output: listOutput,
  annotations: LOOKS,
  run: async ({ limit, all, trail: typed }, { desk, server }) =>
    desk.read(server, typed, async ({ cairn, trail: read, messages: said }) => {
      const checkpoints = all ? await cairn.history({ limit }) : await read.history({ limit });
      const notes = all ? [] : said;
      const data = { trail: all ? null : read.name, checkpoints, ...withMessages(notes) };
      return { data, text: inLines(checkpoints.map(line), notes) };
    }),
};

function line({ checkpoint_id, created_at, trail: name, trigger, notes }: CheckpointInfo): string {
  const words = notes === null ? "" : `  ${oneLine(notes)}`;
  return `${checkpoint_id}  ${created_at}  ${name}  ${oneLine(trigger)}${words}`;
}

const diffInput = z.strictObject({
  from: checkpointId.optional().describe("The older one; the one before the newer otherwise."),
  to: checkpointId.optional().describe("The newer one; the newest otherwise."),
  trail,
});

const itemChanges = z.object({
  added: z.array(z.unknown()),
  removed: z.array(z.unknown()),
  changed: z.array(z.unknown()),
});

const diffOutput = z.looseObject({
  from: checkpointInfo,
  to: checkpointInfo,
  changed: z.boolean(),
  phase: z.unknown(),
  tasks: itemChanges,
  dependencies: itemChanges,
  variables: z.looseObject({}),
  other: z.array(z.unknown()),
  messages,
});

export const diff: Tool<typeof diffInput, typeof diffOutput> = {
  name: "diff",
  title: "Compare two checkpoints",
  description:
    "What changed between two checkpoints, in the terms of the work: tasks, phase, variables and the rest.",
  input: diffInput,
  output: diffOutput,
  annotations: LOOKS,
  run: async (input, { desk, server }) =>
    desk.read(server, input.trail, async ({ cairn, trail: read, messages: said }) => {
      const { from, to } = await findPair(cairn.store, read.name, input);
      const changes = await diffCheckpoints(from, to, await cachedReader(cairn.store, [from.root, to.root]));
      const changed = !isEmpty(changes);
      const data = { from: from.info, to: to.info, changed, ...changes, ...withMessages(said) };
      const title = `${from.info.checkpoint_id} → ${to.info.checkpoint_id}`;
      const words = changed ? visibleJson(JSON.stringify(changes)) : "Nothing changed.";
      return { data, text: inLines([title, words], said) };
    }),
};
