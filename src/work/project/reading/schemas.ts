import * as z from "zod";
import { LEVELS, type Level } from "../../handoff/items/levels.ts";
import { checkpointId, checkpointInfo, count, trail } from "../schema-parts.ts";

/** What the verbs that only look take and give. */
export const LOAD = {
  input: z.strictObject({ id: checkpointId.optional(), trail }),
};

export const LIST = {
  input: z.strictObject({
    limit: z.int().min(1).max(200).default(20),
    all: z.boolean().default(false).describe("Those of all trails."),
    since: z.string().max(40).optional().describe("Only those saved since: 7d, 12h, 2026-01-23."),
    by: z.string().max(200).optional().describe("Only those of this agent."),
    trigger: z.string().max(200).optional().describe("Only those taken for this reason: manual, task …"),
    grep: z.string().max(200).optional().describe("Only those with this text in notes or changes."),
    trail,
  }),
  result: z.looseObject({ trail: z.string().nullable(), checkpoints: z.array(checkpointInfo) }),
};

const fromTo = z.looseObject({ from: z.unknown(), to: z.unknown() });
const itemChanges = z.looseObject({
  added: z.array(z.looseObject({})),
  removed: z.array(z.looseObject({})),
  changed: z.array(
    z.looseObject({ id: z.string(), title: z.string(), fields: z.record(z.string(), fromTo) }),
  ),
});
const values = z.record(z.string(), z.unknown());

/** What changed between two checkpoints, in the terms of the work. */
export const changes = z.looseObject({
  phase: fromTo.nullable(),
  tasks: itemChanges,
  dependencies: itemChanges,
  variables: z.looseObject({ added: values, removed: values, changed: z.record(z.string(), fromTo) }),
  other: z.array(
    z.looseObject({
      kind: z.enum(["added", "removed", "changed", "moved"]),
      path: z.string(),
      from: z.unknown(),
      to: z.unknown(),
    }),
  ),
});

export const LOG = {
  result: z.looseObject({
    trail: z.string().nullable(),
    checkpoints: z.array(
      checkpointInfo.extend({ is_head: z.boolean(), damaged: z.boolean(), changes: changes.nullable() }),
    ),
  }),
};

export const TIMELINE = {
  input: z.strictObject({
    from: count.optional().describe("The position of the first one; 0 is the newest."),
    around: checkpointId.optional().describe("The checkpoint in the middle, where no position is given."),
    limit: z.int().min(1).max(200).default(50),
    trail,
  }),
};

export const DIFF = {
  input: z.strictObject({
    from: checkpointId.optional().describe("The older one; the one before the newer otherwise."),
    to: checkpointId.optional().describe("The newer one; the newest otherwise."),
    trail,
  }),
  result: z.looseObject({ from: checkpointInfo, to: checkpointInfo, changed: z.boolean(), changes }),
};

export const STATUS = {
  input: z.strictObject({ trail }),
  result: z.looseObject({
    root: z.string(),
    trail: z.string(),
    checkpoint: checkpointInfo,
    damaged_head: z
      .string()
      .nullable()
      .describe("The newest checkpoint, if it is damaged: then an older one is shown."),
    goal: z.string().nullable(),
    phase: z.unknown(),
    active_task: z.unknown(),
    open_tasks: z.array(z.unknown()),
    blockers: z.array(z.unknown()),
    approvals_pending: z.array(z.unknown()),
    next_action: z.string().nullable(),
    workspace: z.unknown(),
    runs_waiting: z.array(
      z.looseObject({
        trail: z.string(),
        status: z.string(),
        completed: count,
        total: count,
        command: z.string(),
        why: z.string(),
      }),
    ),
    sessions: z
      .array(
        z.looseObject({
          trail: z.string(),
          client: z.string(),
          status: z.string(),
          goal: z.string().nullable(),
          last_seen_at: z.string(),
        }),
      )
      .describe("Other sessions: those that live, and those that went on after this checkpoint."),
    go_on: z.array(z.looseObject({ command: z.string(), why: z.string() })),
  }),
};

export const SUMMARY = {
  input: z.strictObject({
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
  }),
  result: z.looseObject({
    checkpoint_id: z.string(),
    trail: z.string(),
    text: z.string(),
    tokens: z.looseObject({ estimate: count, upper: count, family: z.string(), method: z.string() }),
    budget: z.looseObject({
      max_tokens: count.nullable(),
      max_chars: count.nullable(),
      family: z.string(),
    }),
    resume_command: z.string(),
  }),
};

export const UNFINISHED = {
  result: z.array(
    z.looseObject({
      kind: z.enum(["run", "trail", "progress"]),
      name: z.string().describe("The run, the trail, or the file."),
      status: z.string(),
      doing: z.string().describe("What was being done."),
      next: z.string().describe("Where it would go on."),
      updated_at: z.string(),
      completed: count,
      total: count,
      percent: count,
      command: z.string().describe("How to go on with it."),
    }),
  ),
};
