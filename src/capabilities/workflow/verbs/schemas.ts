import * as z from "zod";
import { count } from "../../../work/project/schema-parts.ts";

/** What the verbs about runs take and give. */
const runId = z.string().min(1).max(200).describe("The run's id, as runs lists it, or its beginning.");

export const ANSWER = {
  input: z.strictObject({
    run: runId,
    approved: z.boolean(),
    step: z.string().max(200).optional().describe("The question; may be left out when only one is open."),
    option: z
      .string()
      .max(200)
      .optional()
      .describe("Which of the options that the question offers; only with a yes."),
    reason: z.string().max(2000).optional(),
    digest: z
      .string()
      .max(100)
      .optional()
      .describe(
        "The files that were looked at, as `questions` names them: it is refused if one changed since.",
      ),
  }),
  result: z.looseObject({
    run_id: z.string(),
    step: z.string(),
    decision: z.looseObject({ approved: z.boolean(), by: z.string() }),
    runner_alive: z.boolean(),
    go_on: z.string(),
  }),
};

const artifact = z.looseObject({
  path: z.string(),
  sha256: z.string(),
  size_bytes: count,
  step: z.string(),
  attempt: count,
  at: z.string(),
});

export const ARTIFACTS_ADD = {
  input: z.strictObject({
    run: runId,
    files: z.array(z.string().min(1).max(1000)).min(1).max(1000).describe("Below the project's root."),
    step: z.string().max(200).optional().describe("The step that made them; the last one otherwise."),
  }),
  result: z.looseObject({ run: z.string(), artifacts: z.array(artifact) }),
};

export const CANCEL = { input: z.strictObject({ run: runId, reason: z.string().max(2000).optional() }) };

export const QUESTIONS = { input: z.strictObject({ run: runId }) };

export const RUN_LOGS = {
  input: z.strictObject({
    run: runId,
    step: z.string().max(200).optional(),
    attempt: z.int().min(1).optional(),
    tail_bytes: z.int().min(1).max(1_000_000).optional().describe("Also how each ends, as text."),
  }),
  result: z.looseObject({
    run: z.string(),
    logs: z.array(
      z.looseObject({
        step: z.string(),
        attempt: count,
        status: z.string(),
        exit_status: z
          .int()
          .nullable()
          .describe("Null while it runs, and if it was ended before it could say."),
        path: z.string().describe("The file with what it printed, stdout and stderr together."),
        text: z.string().optional().describe("How it ends, if that was asked for."),
      }),
    ),
  }),
};

export const RUNS = {
  input: z.strictObject({
    workflow: z.string().max(200).optional().describe("Only those of this workflow."),
    archived: z.boolean().default(false).describe("Those that were put aside."),
  }),
  result: z.looseObject({
    runs: z.array(
      z.looseObject({
        id: z.string(),
        workflow: z.string(),
        status: z.string(),
        completed: count,
        total: count,
        next: z.array(z.string()),
        can_resume: z.boolean(),
      }),
    ),
  }),
};

export const RESUME_PLAN = {
  input: z.strictObject({ run: runId }),
  result: z.looseObject({
    run_id: z.string(),
    status: z.string(),
    can_resume: z.boolean(),
    completed: z.array(z.string()),
    remaining: z.array(z.string()),
    next: z.string().nullable(),
    steps: z.array(z.unknown()),
    resume_check: z.looseObject({ verdict: z.string() }),
  }),
};
