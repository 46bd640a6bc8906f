import * as z from "zod";

import * as verbs from "../library/project.ts";
import * as governing from "../../capabilities/governance/verbs/schemas.ts";
import * as history from "../../work/project/history/schemas.ts";
import * as looking from "../../work/project/reading/schemas.ts";
import type { Project } from "../../work/project/project.ts";
import * as running from "../../capabilities/workflow/verbs/schemas.ts";
import * as working from "../../work/project/work/schemas.ts";

/** What came of going on with a run: that its runner is at work, or why it stopped. */
export interface Resumed {
  readonly isRunning: boolean;
  readonly message: string;
  readonly hint: string | null;
}

/** What the page can do that is no verb, because it needs a process of its own. */
export interface Beyond {
  /** Goes on with a run; its runner outlives the page. */
  readonly resume: (run: string) => Promise<Resumed>;
}

/** A verb as the page calls it: its own schema checks the input, and nothing is decided here. */
export interface PageVerb<Result = unknown> {
  readonly call: (project: Project, input: unknown, world: Beyond) => Promise<Result>;
  /** Whether it changes anything: then a page that only looks has none of it. */
  readonly writes: boolean;
}

const verb =
  (writes: boolean) =>
  <Input, Result>(
    input: z.ZodType<Input>,
    run: (project: Project, input: Input, world: Beyond) => Promise<Result>,
  ): PageVerb<Result> => ({
    call: async (project, given, world) => run(project, input.parse(given), world),
    writes,
  });
const looks = verb(false);
const writes = verb(true);

const NOTHING = z.strictObject({});
const ALL = z.strictObject({ all: z.boolean().optional() });
const LEDGER = z.strictObject({ limit: z.int().min(1).max(1000).default(500) });

/** What the page can do. The name is the last part of the address: `/api/verb/log`. */
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
  ledger: looks(LEDGER, verbs.ledger),
  governanceReport: looks(governing.GOVERNANCE_REPORT.input, verbs.governanceReport),
  answer: writes(running.ANSWER.input, verbs.answer),
  runCancel: writes(running.CANCEL.input, verbs.runCancel),
  resume: writes(running.RESUME_PLAN.input, (_project, { run }, { resume }) => resume(run)),
  restore: writes(history.RESTORE.input, verbs.restore),
  fork: writes(history.FORK.input, verbs.fork),
  tag: writes(history.TAG.input, verbs.tag),
  promote: writes(working.PROMOTE.input, verbs.promote),
} as const;

type PageVerbs = typeof PAGE_VERBS;

/** What each verb answers. */
export type Answers = { readonly [Name in keyof PageVerbs]: Awaited<ReturnType<PageVerbs[Name]["call"]>> };
