import { MILESTONES, PHASES, STATUSES } from "../../work/progress/words.ts";
import {
  type JsonSchema,
  anything,
  count,
  described,
  enumOf,
  fields,
  flag,
  list,
  map,
  nullable,
  nullableText,
  open,
  ref,
  text,
  texts,
  whole,
} from "../../work/verbs/json-schema.ts";
import { OUTCOME, resumeCheck } from "./results.ts";

/** What the verbs that look at runs give. */
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
  kind: enumOf("command", "function", "approval", "signal", "join"),
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

export const RUNS: JsonSchema = fields({ archived: flag, runs: list(fields(summary)), has_more: flag });

export const RUN: JsonSchema = fields({
  run: fields({
    ...summary,
    request: nullableText,
    inputs: map(text),
    secret_inputs: texts,
    jobs: count,
    epoch: count,
    crashes: count,
    runner: nullable(fields({ pid: count, host: text, since: text })),
    why_waiting: nullableText,
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
  resume_check: nullable(resumeCheck(count)),
  go_on: list(fields({ command: text, why: text })),
});

export const WATCHED: JsonSchema = fields({ run: OUTCOME, plan: { type: "null" } });

export const ARTIFACTS: JsonSchema = fields({
  run: text,
  artifacts: list({
    type: "object",
    properties: { ...artifact, state: enumOf("intact", "missing", "changed"), remedy: text },
    required: Object.keys(artifact),
  }),
  stale_files: texts,
  verified: flag,
  ok: { type: ["boolean", "null"] },
});

export const ARCHIVED: JsonSchema = fields({
  run: text,
  archived_as: text,
  was_archived: flag,
  is_corrupt: flag,
  removed: texts,
});

export const CLEANED: JsonSchema = fields({
  dry_run: flag,
  removed: list(fields({ run: text, workflow: text, reason: text, bytes: count })),
  kept: list(fields({ run: text, reason: text })),
  dropped: texts,
  bytes_freed: count,
  report: nullableText,
});

export const PROGRESS_NOTED: JsonSchema = fields({
  checkpoint: ref("checkpoint_info"),
  file: text,
  progress,
});

export const PROGRESS_FOUND: JsonSchema = fields({
  files: list(fields({ file: text, is_new: flag, is_complete: flag, progress, command: nullableText })),
  problems: list({
    type: "object",
    properties: { file: text, line: count, column: count, path: text, message: text, remedy: text },
    required: ["path", "message", "remedy"],
  }),
});

export const TEMPLATES: JsonSchema = fields({
  templates: list(fields({ name: text, about: text, files: map(text) })),
  written: nullable(texts),
});

export const LOGS = open({
  run: text,
  logs: list(
    open(
      {
        step: text,
        attempt: whole(0),
        status: text,
        exit_status: described(
          "Null while it runs, and if it was ended before it could say.",
          nullable(whole()),
        ),
        started_at: nullableText,
        ended_at: nullableText,
        path: described("The file with what it printed, stdout and stderr together.", text),
        text: { description: "How it ends, if that was asked for.", ...text },
      },
      ["text"],
    ),
  ),
});

export const ARTIFACTS_ADDED = open({
  run: text,
  artifacts: list(
    open({ path: text, sha256: text, size_bytes: whole(0), step: text, attempt: whole(0), at: text }),
  ),
});
