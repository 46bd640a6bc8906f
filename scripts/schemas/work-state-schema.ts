/** A JSON Schema (draft 2020-12), as far as ours need it. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

const text = { type: "string" };
const nullableText = { type: ["string", "null"] };
const texts = { type: "array", items: text };
const listOf = (name: string) => ({ type: "array", items: { $ref: `#/$defs/${name}` } });

/** Every item may say who put it there and when, and may have fields that we do not know. */
function item(properties: JsonSchema, required: readonly string[]): JsonSchema {
  return { type: "object", properties: { ...properties, at: text, by: text }, required };
}

/** The parts of a work state. */
export const WORK_STATE_DEFINITIONS: JsonSchema = {
  phase: {
    type: "object",
    properties: {
      name: text,
      number: { type: ["integer", "null"] },
      status: { enum: ["pending", "in_progress", "blocked", "completed", "failed"] },
      started_at: nullableText,
      notes: nullableText,
    },
    required: ["name", "number", "status", "started_at", "notes"],
  },
  task: item(
    {
      id: text,
      subject: text,
      status: { enum: ["pending", "in_progress", "blocked", "completed", "cancelled"] },
      owner: nullableText,
      blocks: texts,
      blocked_by: texts,
      evidence: text,
      captured: { type: "boolean" },
    },
    ["id", "subject", "status", "owner", "blocks", "blocked_by"],
  ),
  decision: item({ what: text, why: nullableText }, ["what"]),
  remark: item({ text }, ["text"]),
  dependency: item(
    {
      name: text,
      type: text,
      status: text,
      endpoint: nullableText,
      last_checked: nullableText,
      latency_ms: { type: ["number", "null"] },
      reason: text,
    },
    ["name", "type", "status", "endpoint", "last_checked"],
  ),
  output: item(
    { type: text, id: text, action: text, success: { type: "boolean" }, timestamp: text, output: text },
    ["type", "id", "action", "success", "timestamp"],
  ),
  command: item({ argv: texts, ok: { type: ["boolean", "null"] } }, ["argv", "ok", "at"]),
  workspace: {
    type: "object",
    properties: {
      head: nullableText,
      branch: nullableText,
      dirty: { type: ["boolean", "null"] },
      more_files: { type: "number" },
    },
    required: ["head", "branch", "dirty"],
  },
  session: {
    type: "object",
    properties: {
      id: text,
      client: text,
      status: { enum: ["running", "idle", "failed", "ended"] },
      started_at: text,
      model: text,
      transcript_path: text,
      last_message: text,
      error: text,
    },
    required: ["id", "client", "status", "started_at"],
  },
};

/** The fields of a work state; none has to be there, and others may be. */
export const WORK_STATE_PROPERTIES: JsonSchema = {
  goal: text,
  goal_by: { type: "object", properties: { at: text, by: text, promoted_from: text } },
  success_criteria: texts,
  next_action: text,
  instructions: listOf("remark"),
  constraints: listOf("remark"),
  decisions: listOf("decision"),
  blockers: listOf("remark"),
  gotchas: listOf("remark"),
  phase: { $ref: "#/$defs/phase" },
  phases_completed: { type: "array", items: { type: ["integer", "string"] } },
  tasks: listOf("task"),
  active_task_id: text,
  dependencies: listOf("dependency"),
  variables: { type: "object" },
  recent_outputs: listOf("output"),
  files_touched: texts,
  commands: listOf("command"),
  checks_failing: texts,
  subagents: { type: "array" },
  workspace: { $ref: "#/$defs/workspace" },
  approvals_pending: { type: "array" },
  run: {},
  session: { $ref: "#/$defs/session" },
  imported_texts: texts,
};
