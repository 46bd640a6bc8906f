import { CHECKPOINT_SCHEMA } from "../../src/checkpoints/schema/checkpoint-schema.ts";
import type { JsonSchema } from "../../src/checkpoints/schema/work-state-schema.ts";
import { EXIT_STATUS } from "../../src/errors.ts";
import type { CommandName } from "../../src/cli/table.ts";
import { SETUP_CLIENTS } from "../../src/integrations/client-setup/setup-clients.ts";
import {
  anything,
  CHANGES,
  count,
  enumOf,
  fields,
  flag,
  list,
  map,
  nullable,
  nullableText,
  ref,
  text,
  texts,
} from "./parts.ts";
import { HELP_DOCUMENT } from "./help-document.ts";
import { WORKFLOW_DOCUMENTS } from "./workflow-documents.ts";
import { RUN_DOCUMENTS } from "./run-documents.ts";

const info = ref("checkpoint_info");
/** Null when there was nothing to change. */
const committed = { checkpoint: nullable(info) };
const task = fields({ ...committed, task: ref("task"), active_task_id: nullableText });
const decided = fields({
  id: text,
  section: text,
  tier: count,
  form: enumOf("full", "short", "pointer"),
  tokens: { type: "number" },
  value: { type: "number" },
});
const pruned = { checkpoint_id: text, content_hash: text, trail: text };

const agentSession = fields({
  id: text,
  client: text,
  trail: text,
  checkpoint_id: text,
  status: enumOf("working", "waiting", "failed", "ended", "died", "unknown"),
  known: text,
  goal: nullableText,
  model: nullableText,
  started_at: nullableText,
  last_seen_at: text,
  last_action: nullableText,
  last_message: nullableText,
  tasks: fields({ done: count, open: count, active: nullableText }),
  files_touched: texts,
  checks_failing: texts,
  subagents: list(fields({ id: text, type: nullableText, status: text, last_message: nullableText })),
  transcript: fields({ path: nullableText, exists: flag, archived: nullableText }),
  resume: nullableText,
});

/** What the commands that print a whole checkpoint print: who, when and why, and the state beside it. */
const checkpoint: JsonSchema = {
  type: "object",
  properties: CHECKPOINT_SCHEMA["properties"],
  required: CHECKPOINT_SCHEMA["required"],
};

/** Commands that print no document: they speak to a client, in its own language. */
type Silent = "mcp" | "hook";

/** What `--json` prints on stdout, by command; `schema` and `messages` come on top. */
export const DOCUMENTS: { readonly [Name in Exclude<CommandName, Silent>]: JsonSchema } = {
  now: checkpoint,
  load: checkpoint,
  list: fields({ trail: nullableText, checkpoints: list(info) }),
  log: fields({
    trail: nullableText,
    checkpoints: list({ allOf: [info, fields({ is_head: flag, changes: nullable(ref("changes")) })] }),
  }),
  diff: fields({ from: info, to: info, changed: flag, ...CHANGES }),
  status: fields({
    root: text,
    trail: text,
    checkpoint: info,
    goal: nullableText,
    phase: nullable(ref("phase")),
    active_task: nullable(ref("task")),
    open_tasks: list(ref("task")),
    blockers: list(anything),
    approvals_pending: list(anything),
    next_action: nullableText,
    workspace: nullable(ref("workspace")),
    runs_waiting: list(
      fields({ trail: text, status: text, completed: count, total: count, command: text, why: text }),
    ),
    go_on: list(fields({ command: text, why: text })),
  }),
  summary: fields({
    checkpoint_id: text,
    trail: text,
    text,
    tokens: fields({ estimate: count, upper: count, family: text, method: text }),
    budget: fields({ max_tokens: nullable(count), max_chars: nullable(count), family: text }),
    kept: list(decided),
    dropped: list(decided),
    resume_command: text,
  }),
  watch: fields({ checkpoint: info }),
  sessions: fields({ sessions: list(agentSession), more: count }),
  "sessions show": fields({ session: agentSession, go_on: texts }),
  goal: fields({ ...committed, goal: nullableText, success_criteria: texts }),
  next: fields({ ...committed, next_action: nullableText }),
  constraint: fields({ ...committed, constraint: ref("remark") }),
  decide: fields({ ...committed, decision: ref("decision") }),
  block: fields({ ...committed, number: count, blocker: ref("remark") }),
  unblock: fields({ ...committed, removed: ref("remark"), left: count }),
  "phase start": fields({ ...committed, phase: ref("phase") }),
  "phase complete": fields({ ...committed, phase: ref("phase"), phases_completed: list(anything) }),
  "phase fail": fields({ ...committed, phase: ref("phase") }),
  set: fields({ ...committed, key: text, value: anything }),
  unset: fields({ ...committed, key: text, value: anything }),
  "task add": fields({ ...committed, task: ref("task") }),
  "task start": task,
  "task done": task,
  "task block": task,
  "task cancel": task,
  "task list": fields({ trail: text, active_task_id: nullableText, tasks: list(ref("task")), over: count }),
  ...RUN_DOCUMENTS,
  ...WORKFLOW_DOCUMENTS,
  restore: fields({ checkpoint: info }),
  undo: fields({ checkpoint: info }),
  fork: fields({ checkpoint: info }),
  prune: fields({
    dry_run: flag,
    bytes_freed: count,
    kept: list(fields({ ...pruned, reasons: texts })),
    removed: list(fields({ ...pruned, reason: text })),
  }),
  verify: fields({
    ok: flag,
    objects: count,
    checkpoints: count,
    trails: count,
    damage: list({
      type: "object",
      properties: { kind: text, what: text, object: text, costs: texts },
      required: ["kind", "what", "costs"],
    }),
  }),
  export: fields({ file: text, bytes: count, trail: text, history: flag }),
  import: {
    type: "object",
    properties: {
      format: text,
      trail: text,
      head: text,
      checkpoints: count,
      was_there: flag,
      proven: flag,
      checkpoint: info,
      client: text,
      dry_run: flag,
      sessions: list(
        fields({
          session_id: text,
          source: text,
          cwd: nullableText,
          goal: nullableText,
          last_seen_at: nullableText,
          lines: count,
          new_lines: count,
          secrets_removed: count,
          trail: nullableText,
          transcript_trail: nullableText,
          checkpoint_id: nullableText,
          was_rewritten: flag,
          subagent_files: count,
          unknown: map(count),
          problems: list(fields({ line: count, reason: text })),
          more_problems: count,
          error: nullableText,
        }),
      ),
    },
    required: ["format"],
  },
  init: fields({
    root: text,
    store: nullable(fields({ path: text, made: text })),
    config: nullable(fields({ path: text, made: text })),
    clients: list(
      fields({
        client: enumOf(...SETUP_CLIENTS),
        name: text,
        changes: list(
          fields({
            path: text,
            action: enumOf("none", "create", "change", "delete"),
            what: text,
            done: flag,
          }),
        ),
        notes: texts,
      }),
    ),
  }),
  doctor: fields({
    ok: flag,
    problems: count,
    warnings: count,
    findings: list(
      fields({
        name: text,
        level: enumOf("ok", "note", "warning", "problem"),
        message: text,
        remedy: nullableText,
      }),
    ),
  }),
  config: fields({
    root: text,
    store: text,
    trail: fields({ name: text, by: text }),
    agent: nullableText,
    files: fields({ project: text, user: nullableText }),
    settings: map(anything),
    sources: map(text),
  }),
  completion: fields({ shell: text, script: text }),
  help: HELP_DOCUMENT,
};

/** What goes wrong, on stderr. */
export const ERROR_DOCUMENT: JsonSchema = fields({
  error: fields({
    code: enumOf(...Object.keys(EXIT_STATUS)),
    exit_status: { type: "integer" },
    message: text,
    hint: nullableText,
    suggestion: nullableText,
    details: map(anything),
  }),
});
