import * as z from "zod";

import * as verbs from "../library/project.ts";
import * as history from "../../work/project/history/schemas.ts";
import * as looking from "../../work/project/reading/schemas.ts";
import { changes, looks } from "../../work/project/page-verb.ts";
import * as running from "../../capabilities/workflow/verbs/schemas.ts";
import * as working from "../../work/project/work/schemas.ts";

const NOTHING = z.strictObject({});
const ALL = z.strictObject({ all: z.boolean().optional() });

/** What the page can do besides what capabilities bring. The name is the last part of the address: `/api/verb/log`. */
export const PAGE_VERBS = {
  timeline: looks(looking.TIMELINE.input, verbs.timeline),
  load: looks(looking.LOAD.input, verbs.load),
  diff: looks(looking.DIFF.input, verbs.diff),
  summary: looks(
    looking.SUMMARY.input,
    (project, { max_tokens: maxTokens, max_chars: maxChars, subagent, ...input }) =>
      verbs.summary(project, { ...input, maxTokens, maxChars, ...(subagent && { audience: "subagent" }) }),
  ),
  runs: looks(running.RUNS.input, verbs.runs),
  runLogs: looks(running.RUN_LOGS.input, verbs.runLogs),
  questions: looks(running.QUESTIONS.input, verbs.questions),
  trails: looks(history.TRAILS.input, verbs.trails),
  sessions: looks(ALL, verbs.sessions),
  usage: looks(NOTHING, verbs.usage),
  verify: looks(NOTHING, verbs.verify),
  // Only what it would remove: the page removes nothing.
  prune: looks(ALL, (project, input) => verbs.prune(project, { ...input, dryRun: true })),
  answer: changes(running.ANSWER.input, verbs.answer),
  runCancel: changes(running.CANCEL.input, verbs.runCancel),
  resume: changes(running.RESUME_PLAN.input, (_project, { run }, { resume }) => resume(run)),
  restore: changes(history.RESTORE.input, verbs.restore),
  fork: changes(history.FORK.input, verbs.fork),
  tag: changes(history.TAG.input, verbs.tag),
  promote: changes(working.PROMOTE.input, verbs.promote),
} as const;
