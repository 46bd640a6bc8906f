import {
  type JsonSchema,
  anything,
  count,
  enumOf,
  fields,
  flag,
  list,
  nullable,
  nullableText,
  open,
  text,
  texts,
} from "../../work/verbs/json-schema.ts";

/** What the verbs that move runs give. */
const status: JsonSchema = { type: "integer" };
const goOn = list(fields({ command: text, why: text }));

/** How a run stands when its command ends. */
export const OUTCOME = fields({
  run_id: text,
  workflow: text,
  status: text,
  exit_status: status,
  reason: nullableText,
  completed: count,
  total: count,
  percent: count,
  questions: list(fields({ step: text, question: text, options: texts, files: texts, reason: nullableText })),
  failed: list(fields({ step: text, attempt: count, reason: text, output: text, logs: text })),
  artifacts: count,
  forked_from: nullableText,
  stale_files: texts,
  go_on: goOn,
});

export const resumeCheck = (exit_status: JsonSchema) =>
  fields({
    verdict: enumOf("resume", "resume with warnings", "re-plan"),
    exit_status,
    findings: list(
      fields({ check: text, severity: enumOf("warning", "blocker"), message: text, remedy: text }),
    ),
  });

/** What a run would do: with `--dry-run`. */
export const PLAN = fields({
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
  resume_check: nullable(resumeCheck(status)),
  stale_files: texts,
});

export const ANSWERED = open({
  run_id: text,
  step: text,
  decision: open({ approved: flag, by: text }),
  runner_alive: flag,
  go_on: text,
});
