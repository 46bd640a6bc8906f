import * as z from "zod";
import { committed, count, phase, remark, sentence, task, taskStatus, trail } from "../schema-parts.ts";

/** What the verbs about the state of the work take and give. */
const taskId = z.string().min(1).max(200);
const key = z.string().min(1).max(200);
const which = sentence.describe("Its number, or words that only it holds.");

export const GOAL = {
  input: z.strictObject({
    goal: sentence.optional().describe("What the work is for, in the person's own words."),
    done_when: z.array(sentence).max(50).optional().describe("What must be true in the end."),
    trail,
  }),
  result: z.looseObject({
    checkpoint: committed,
    goal: z.string().nullable(),
    success_criteria: z.array(z.string()),
  }),
};

export const NEXT = {
  input: z.strictObject({
    next_action: sentence.optional().describe("The very next thing to do."),
    trail,
  }),
  result: z.looseObject({ checkpoint: committed, next_action: z.string().nullable() }),
};

export const CONSTRAINT = {
  input: z.strictObject({ text: sentence.describe("The rule."), trail }),
  result: z.looseObject({ checkpoint: committed, number: count, constraint: remark }),
};

export const BLOCK = {
  input: z.strictObject({ text: sentence.describe("What the work waits for."), trail }),
  result: z.looseObject({ checkpoint: committed, number: count, blocker: remark }),
};

export const UNBLOCK = {
  input: z.strictObject({ which, trail }),
  result: z.looseObject({ checkpoint: committed, removed: remark, left: count }),
};

export const DECIDE = {
  input: z.strictObject({
    what: sentence.describe("What was decided."),
    why: sentence.optional().describe("The reason: whoever goes on will not ask again."),
    trail,
  }),
  result: z.looseObject({
    checkpoint: committed,
    decision: z.looseObject({
      what: z.string(),
      why: z.string().nullable(),
      at: z.string(),
      by: z.string(),
    }),
  }),
};

export const OUTPUT_ADD = {
  input: z.strictObject({
    type: sentence.describe("What kind of thing it is: evidence, report, build …"),
    id: sentence.describe("How it is found again: an id, a file, an address."),
    action: sentence.optional().describe("What was done: terraform, npm test …"),
    success: z.boolean().default(true),
    trail,
  }),
  result: z.looseObject({
    checkpoint: committed,
    output: z.looseObject({
      type: z.string(),
      id: z.string(),
      action: z.string(),
      success: z.boolean(),
      timestamp: z.string(),
    }),
  }),
};

const decision = DECIDE.result.shape.decision;

export const LIST_ENTRIES = { input: z.strictObject({ trail }) };

export const CONSTRAINT_EDIT = {
  input: z.strictObject({ which, text: sentence.describe("The rule, in its new wording."), trail }),
  result: CONSTRAINT.result,
};

export const DECISION_EDIT = {
  input: z.strictObject({ which, what: sentence.optional(), why: sentence.optional(), trail }),
  result: z.looseObject({ checkpoint: committed, number: count, decision }),
};

export const REMOVE_ENTRY = {
  input: z.strictObject({ which, trail }),
  result: z.looseObject({ checkpoint: committed, removed: z.looseObject({}), left: count }),
};

export const PROMOTE = {
  input: z.strictObject({
    what: z.enum(["constraint", "decision", "goal"]),
    which: which.optional(),
    trail,
  }),
  result: z.looseObject({
    checkpoint: committed,
    from: z.string().describe("The trail that it came from."),
    promoted: z.looseObject({ by: z.string(), promoted_from: z.string() }),
  }),
};

export const TASK_RENAME = {
  input: z.strictObject({ id: taskId, subject: sentence, trail }),
  result: z.looseObject({ checkpoint: committed, task, was: z.string() }),
};

export const PHASE_START = {
  input: z.strictObject({
    name: sentence,
    number: z.int().min(0).optional(),
    notes: sentence.optional(),
    trail,
  }),
  result: z.looseObject({ checkpoint: committed, phase }),
};

export const PHASE_COMPLETE = {
  input: z.strictObject({
    output: sentence.optional().describe("The id of what the phase produced."),
    trail,
  }),
  result: z.looseObject({
    checkpoint: committed,
    phase,
    phases_completed: z.array(z.union([z.string(), z.number()])),
  }),
};

export const PHASE_FAIL = {
  input: z.strictObject({ why: sentence.optional(), trail }),
  result: PHASE_START.result,
};

export const SET = {
  input: z.strictObject({ key, value: z.json(), trail }),
  result: z.looseObject({ checkpoint: committed, key: z.string(), value: z.unknown() }),
};

export const UNSET = { input: z.strictObject({ key, trail }), result: SET.result };

export const TASK_LIST = {
  input: z.strictObject({
    all: z.boolean().default(false).describe("Also those that are done or cancelled."),
    trail,
  }),
  result: z.looseObject({
    trail: z.string(),
    active_task_id: z.string().nullable(),
    tasks: z.array(z.unknown()),
    over: count.describe("How many are done or cancelled."),
  }),
};

export const TASK_ADD = {
  input: z.strictObject({
    subject: sentence.describe("What is to be done."),
    owner: z.string().max(200).optional(),
    blocked_by: z.array(taskId).max(100).default([]).describe("Ids of tasks that this one waits for."),
    blocks: z.array(taskId).max(100).default([]).describe("Ids of tasks that wait for this one."),
    trail,
  }),
  result: z.looseObject({ checkpoint: committed, task }),
};

export const TASK_STATUS = {
  input: z.strictObject({
    id: taskId.describe("The task's id, as tasks lists it."),
    status: taskStatus,
    owner: z.string().max(200).optional().describe("Who works on it."),
    evidence: sentence
      .optional()
      .describe("What shows that it is done: a test that passed, a file, a commit."),
    reason: sentence.optional().describe("What it waits for, or why it was given up."),
    blocked_by: z.array(taskId).max(100).optional().describe("Tasks that it waits for from now on."),
    trail,
  }),
  result: z.looseObject({ checkpoint: committed, task, active_task_id: z.string().nullable() }),
};
