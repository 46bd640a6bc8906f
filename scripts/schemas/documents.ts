import { CHECKPOINT_SCHEMA } from "./checkpoint-schema.ts";
import { NULL_WHERE_ABSENT } from "../../src/core/trails/transfer/flat-document.ts";
import { WORK_STATE_PROPERTIES, type JsonSchema } from "./work-state-schema.ts";
import * as z from "zod";
import { EXIT_STATUS } from "../../src/core/errors.ts";
import { SETUP_CLIENTS } from "../../src/capabilities/clients/setup/setup-clients.ts";
import {
  anything,
  count,
  enumOf,
  fields,
  flag,
  list,
  map,
  nullable,
  nullableText,
  ofVerb,
  ref,
  text,
  texts,
} from "./parts.ts";
import { FORK, RESTORE, TRAIL_DELETE, TRAIL_RENAME, TRAILS, UNDO } from "../../src/work/project/history/schemas.ts";
import { changes, DIFF, LIST, LOG, STATUS, SUMMARY } from "../../src/work/project/reading/schemas.ts";
import {
  BLOCK,
  CONSTRAINT,
  CONSTRAINT_EDIT,
  DECIDE,
  DECISION_EDIT,
  GOAL,
  NEXT,
  OUTPUT_ADD,
  PHASE_COMPLETE,
  PHASE_FAIL,
  PHASE_START,
  PROMOTE,
  REMOVE_ENTRY,
  SET,
  TASK_ADD,
  TASK_LIST,
  TASK_RENAME,
  TASK_STATUS,
  UNBLOCK,
  UNSET,
} from "../../src/work/project/work/schemas.ts";
import { REMOTE_DOCUMENTS } from "./remote-documents.ts";
import { WORKFLOW_DOCUMENTS } from "./workflow-documents.ts";
import { GOVERNANCE_DOCUMENTS, unfinished } from "./governance-documents.ts";
import { RUN_DOCUMENTS } from "./run-documents.ts";

const info = ref("checkpoint_info");
/** What a briefing kept or left out, and what it was worth. */
const weighed = z.looseObject({
  id: z.string(),
  section: z.string(),
  tier: z.int().min(0),
  form: z.enum(["full", "short", "pointer"]),
  tokens: z.number(),
  value: z.number(),
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
  properties: {
    ...(CHECKPOINT_SCHEMA["properties"] as object),
    ...Object.fromEntries(
      NULL_WHERE_ABSENT.map((field) => [field, nullable(WORK_STATE_PROPERTIES[field] as JsonSchema)]),
    ),
  },
  required: CHECKPOINT_SCHEMA["required"],
};

/** Commands that print no document: they speak to a client, in its own language. */
export const SILENT: readonly string[] = ["mcp", "hook"];

/** What `--json` prints on stdout, by command; `schema` and `messages` come on top. */
export const DOCUMENTS: Readonly<Record<string, JsonSchema>> = {
  now: checkpoint,
  load: checkpoint,
  "remote show": fields({
    remote: text,
    trail: text,
    machine: text,
    pushed_at: text,
    source: enumOf("cache", "remote"),
    is_confirmed: flag,
    checkpoint,
  }),
  list: ofVerb(LIST),
  log: ofVerb(LOG),
  diff: ofVerb({ result: DIFF.result.omit({ changes: true }).extend(changes.shape) }),
  status: ofVerb(STATUS),
  summary: ofVerb({ result: SUMMARY.result.extend({ kept: z.array(weighed), dropped: z.array(weighed) }) }),
  watch: fields({ checkpoint: info }),
  sessions: fields({ sessions: list(agentSession), more: count }),
  "sessions show": fields({ session: agentSession, go_on: texts }),
  goal: ofVerb(GOAL),
  next: ofVerb(NEXT),
  constraint: ofVerb({ result: CONSTRAINT.result.omit({ number: true }) }),
  decide: ofVerb(DECIDE),
  block: ofVerb(BLOCK),
  unblock: ofVerb(UNBLOCK),
  "phase start": ofVerb(PHASE_START),
  "phase complete": ofVerb(PHASE_COMPLETE),
  "phase fail": ofVerb(PHASE_FAIL),
  "output add": ofVerb(OUTPUT_ADD),
  set: ofVerb(SET),
  unset: ofVerb(UNSET),
  "constraint list": fields({ constraints: list(anything) }),
  "constraint edit": ofVerb(CONSTRAINT_EDIT),
  "constraint remove": ofVerb(REMOVE_ENTRY),
  "decision list": fields({ decisions: list(anything) }),
  "decision edit": ofVerb(DECISION_EDIT),
  "decision remove": ofVerb(REMOVE_ENTRY),
  promote: ofVerb(PROMOTE),
  "task add": ofVerb(TASK_ADD),
  "task start": ofVerb(TASK_STATUS),
  "task done": ofVerb(TASK_STATUS),
  "task block": ofVerb(TASK_STATUS),
  "task rename": ofVerb(TASK_RENAME),
  "task cancel": ofVerb(TASK_STATUS),
  "task list": ofVerb(TASK_LIST),
  ...RUN_DOCUMENTS,
  ...GOVERNANCE_DOCUMENTS,
  ...WORKFLOW_DOCUMENTS,
  restore: ofVerb(RESTORE),
  undo: ofVerb(UNDO),
  fork: ofVerb(FORK),
  tag: {
    type: "object",
    properties: {
      tags: list(fields({ name: text, checkpoint: info })),
      removed: fields({ name: text, checkpoint: info }),
      moved_from: nullableText,
    },
    required: ["tags"],
  },
  trails: ofVerb(TRAILS),
  "trails rename": ofVerb(TRAIL_RENAME),
  "trails delete": ofVerb(TRAIL_DELETE),
  prune: fields({
    dry_run: flag,
    bytes_freed: count,
    kept: list(fields({ ...pruned, reasons: texts })),
    removed: list(fields({ ...pruned, reason: text })),
  }),
  "store copy": fields({ trails: count, checkpoints: count, present: count }),
  "store salvage": fields({
    folder: text,
    trails: count,
    checkpoints: count,
    lost: list(
      fields({ what: enumOf("checkpoint", "head", "log"), name: text, trail: nullableText, why: text }),
    ),
  }),
  "store migrate": fields({ from: count, to: count, role: nullableText }),
  "store status": fields({
    kind: enumOf("local", "shared"),
    id: text,
    durability: enumOf("durable", "cache"),
    trails: count,
    work: nullable(
      fields({
        workers: list(fields({ host: text, pid: count, queues: texts, slots: count, running: count, note: nullableText })),
        queues: { type: "object" },
        oldest_lease_ms: nullable({ type: "integer" }),
      }),
    ),
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
    damaged_trails: texts,
    unfinished,
    repaired: {
      anyOf: [
        list(
          fields({
            trail: text,
            damaged: nullableText,
            whole: nullableText,
            checkpoint_id: nullableText,
            reason: nullableText,
          }),
        ),
        { type: "null" },
      ],
    },
    unrecorded: list(
      fields({
        checkpoint_id: text,
        trail: text,
        created_at: text,
        agent_id: nullableText,
        trigger: text,
      }),
    ),
    brought: list(fields({ origin: text, checkpoints: count })),
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
      run: nullableText,
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
          problems: list(fields({ line: count, reason: text })),
          more_problems: count,
          error: nullableText,
        }),
      ),
    },
    required: ["format"],
  },
  ...REMOTE_DOCUMENTS,
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
  ui: fields({ url: text, port: count, read_only: flag }),
  completion: fields({ shell: text, script: text }),
  "completion words": fields({ words: texts }),
  help: fields({ topic: nullableText, text }),
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
