import type { JsonSchema } from "./work-state-schema.ts";
import type { WORKFLOWS } from "../../src/doors/command/table/workflows.ts";
import { UNFINISHED } from "../../src/work/project/reading/schemas.ts";
import { ANSWER } from "../../src/capabilities/workflow/verbs/schemas.ts";
import {
  anything,
  count,
  enumOf,
  fields,
  flag,
  list,
  nullable,
  nullableText,
  ofVerb,
  text,
  texts,
} from "./parts.ts";

const status: JsonSchema = { type: "integer" };
const goOn = list(fields({ command: text, why: text }));

/** How a run stands when its command ends. */
export const outcome = fields({
  run_id: text,
  workflow: text,
  status: text,
  exit_status: status,
  reason: nullableText,
  completed: count,
  total: count,
  percent: count,
  questions: list(fields({ step: text, question: text, options: texts, files: texts, reason: nullableText })),
  failed: list(fields({ step: text, attempt: count, reason: text, output: text })),
  artifacts: count,
  forked_from: nullableText,
  stale_files: texts,
  go_on: goOn,
});

const resumeCheck = fields({
  verdict: enumOf("resume", "resume with warnings", "re-plan"),
  exit_status: status,
  findings: list(
    fields({ check: text, severity: enumOf("warning", "blocker"), message: text, remedy: text }),
  ),
});

/** What a run would do: with `--dry-run`. */
const plan = fields({
  run_id: nullableText,
  forked_from: nullableText,
  ends_origin: flag,
  workflow_id: text,
  original_request: nullableText,
  status: text,
  completed: texts,
  remaining: texts,
  next: nullableText,
  progress_percentage: count,
  can_resume: flag,
  artifacts: list({ type: "object" }),
  updated_at: text,
  metadata: anything,
  steps: list(fields({ id: text, action: enumOf("keep", "run", "look", "ask", "wait"), reason: text })),
  resume_check: nullable(resumeCheck),
  stale_files: texts,
});

/** What the commands that move runs print; before that, run and resume print events. */
export const WORKFLOW_DOCUMENTS: { readonly [Name in keyof typeof WORKFLOWS]: JsonSchema } = {
  run: fields({ run: nullable(outcome), plan: nullable(plan) }),
  resume: {
    type: "object",
    properties: { run: nullable(outcome), plan: nullable(plan), unfinished: ofVerb(UNFINISHED) },
    required: ["run", "plan"],
  },
  worker: fields({ drained: flag }),
  approve: ofVerb(ANSWER),
  reject: ofVerb(ANSWER),
  cancel: fields({ run: outcome }),
};

/** One thing that happened in a run: what run and resume print with `--json`, one a line, before the result. */
export const RUN_EVENT_DOCUMENT: JsonSchema = {
  type: "object",
  properties: {
    type: enumOf(
      "run-started",
      "run-resumed",
      "step-started",
      "step-completed",
      "step-skipped",
      "step-failed",
      "step-interrupted",
      "approval-asked",
      "approval-decided",
      "run-ended",
    ),
    run: text,
    workflow: text,
    epoch: count,
    completed: count,
    total: count,
    request: nullableText,
    done: texts,
    next: texts,
    last_activity: text,
    step: text,
    attempt: count,
    reattached: flag,
    output: text,
    adopted: flag,
    duration_ms: count,
    result: anything,
    artifacts: list({ type: "object" }),
    reason: nullableText,
    retry_at: nullableText,
    question: text,
    options: texts,
    approved: flag,
    by: text,
    option: nullableText,
    status: text,
  },
  required: ["type", "run"],
};
