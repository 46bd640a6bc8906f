import type { JsonSchema } from "./work-state-schema.ts";
import { MILESTONES, PHASES, STATUSES } from "../../src/work/progress/words.ts";
import { outcome } from "./workflow-documents.ts";
import { ARTIFACTS_ADD, RUN_LOGS } from "../../src/capabilities/workflow/verbs/schemas.ts";
import type { RUNS } from "../../src/doors/command/table/runs.ts";
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

const summary = {
  id: text,
  workflow: text,
  status: enumOf(
    "pending",
    "running",
    "awaiting_approval",
    "paused",
    "completed",
    "failed",
    "cancelled",
    "archived",
    "interrupted",
    "corrupt",
  ),
  completed: count,
  total: count,
  percent: count,
  next: texts,
  started_by: nullableText,
  created_at: text,
  updated_at: text,
  reason: nullableText,
  file: nullableText,
  archived_as: nullableText,
  can_resume: flag,
};

const step = fields({
  id: text,
  kind: enumOf("command", "function", "approval", "join"),
  phase: nullableText,
  agent: nullableText,
  needs: texts,
  command: nullable({ anyOf: [text, texts] }),
  question: nullableText,
  options: texts,
  status: enumOf("pending", "running", "waiting", "awaiting_approval", "completed", "skipped", "failed"),
  attempt: count,
  failures: count,
  crashes: count,
  started_at: nullableText,
  ended_at: nullableText,
  reason: nullableText,
  adopted: flag,
  decision: nullable({
    type: "object",
    properties: {
      approved: flag,
      option: text,
      reason: text,
      by: text,
      identity: text,
      at: text,
      digest: text,
    },
    required: ["approved", "by", "identity", "at", "digest"],
  }),
  result: anything,
  output: nullableText,
});

const artifact = { path: text, sha256: text, size_bytes: count, step: text, attempt: count, at: text };

const resumeCheck = fields({
  verdict: enumOf("resume", "resume with warnings", "re-plan"),
  exit_status: count,
  findings: list(
    fields({ check: text, severity: enumOf("warning", "blocker"), message: text, remedy: text }),
  ),
});

const progress: JsonSchema = {
  type: "object",
  properties: {
    feature: text,
    agent: text,
    team: text,
    phase: enumOf(...PHASES),
    status: enumOf(...STATUSES),
    last_action: text,
    updated: text,
    notes: list({
      type: "object",
      properties: { at: text, text, milestone: enumOf(...MILESTONES) },
      required: ["at", "text"],
    }),
  },
  required: ["feature", "agent", "phase", "status", "last_action", "updated", "notes"],
};

/** What the commands print that look at runs and tidy them up. */
export const RUN_DOCUMENTS: { readonly [Name in keyof typeof RUNS]: JsonSchema } = {
  runs: fields({ archived: flag, runs: list(fields(summary)) }),
  "runs show": fields({
    run: fields({
      ...summary,
      request: nullableText,
      inputs: map(text),
      secret_inputs: texts,
      jobs: count,
      epoch: count,
      crashes: count,
      runner: nullable(fields({ pid: count, host: text, since: text })),
      forked_from: nullable({
        type: "object",
        properties: { run: text, checkpoint: text, step: text },
        required: ["run", "checkpoint"],
      }),
      continued_as: nullableText,
    }),
    steps: list(step),
    artifacts: list(fields(artifact)),
    stale_files: texts,
    resume_check: nullable(resumeCheck),
    go_on: list(fields({ command: text, why: text })),
  }),
  "runs logs": ofVerb(RUN_LOGS),
  "runs watch": fields({ run: outcome, plan: { type: "null" } }),
  artifacts: fields({
    run: text,
    artifacts: list({
      type: "object",
      properties: { ...artifact, state: enumOf("intact", "missing", "changed"), remedy: text },
      required: Object.keys(artifact),
    }),
    stale_files: texts,
    verified: flag,
    ok: { type: ["boolean", "null"] },
  }),
  "artifacts add": ofVerb(ARTIFACTS_ADD),
  archive: fields({ run: text, archived_as: text, was_archived: flag, is_corrupt: flag, removed: texts }),
  clean: fields({
    dry_run: flag,
    removed: list(fields({ run: text, workflow: text, reason: text, bytes: count })),
    kept: list(fields({ run: text, reason: text })),
    dropped: texts,
    bytes_freed: count,
    report: nullableText,
  }),
  "progress note": fields({ checkpoint: ref("checkpoint_info"), file: text, progress }),
  "progress scan": fields({
    files: list(fields({ file: text, is_new: flag, is_complete: flag, progress, command: nullableText })),
    problems: list({
      type: "object",
      properties: { file: text, line: count, column: count, path: text, message: text, remedy: text },
      required: ["path", "message", "remedy"],
    }),
  }),
  templates: fields({
    templates: list(fields({ name: text, about: text, files: map(text) })),
    written: nullable(texts),
  }),
};
