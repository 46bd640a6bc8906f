import * as z from "zod";
import { count } from "../schema-parts.ts";

/** What the verbs about runs take and give. */
const runId = z.string().min(1).max(200).describe("The run's id, as runs lists it.");

export const ANSWER = {
  input: z.strictObject({
    run: runId,
    approved: z.boolean(),
    step: z.string().max(200).optional().describe("The question; may be left out when only one is open."),
    option: z.string().max(200).optional(),
    reason: z.string().max(2000).optional(),
  }),
  result: z.looseObject({
    run_id: z.string(),
    step: z.string(),
    decision: z.looseObject({ approved: z.boolean(), by: z.string() }),
    runner_alive: z.boolean(),
    go_on: z.string(),
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
