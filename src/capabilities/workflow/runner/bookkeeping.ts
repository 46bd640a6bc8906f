import { readGitHead } from "../../../work/capture/git/git-head.ts";
import { CheckpointError, isCheckpointError, messageOf } from "../../../core/errors.ts";
import type { Json } from "../../../core/objects/json.ts";
import type { Step } from "../definition/types.ts";
import type { WorkflowContext } from "../context.ts";
import { decide } from "../run/approval.ts";
import { failedStep, stateOf, type ApprovalDecision, type Run } from "../run/run-state.ts";
import type { AttemptOutcome } from "../run/settle.ts";
import type { ProgramAnswer } from "./questions.ts";
import { archiveName } from "./run-id.ts";

/** Adds what follows from new outcomes: the project's git commit, and at the end the archive's name or the reason. */
export function recordEnd(
  run: Run,
  outcomes: readonly AttemptOutcome[],
  { root, now }: Pick<WorkflowContext, "root" | "now">,
): Run {
  const isProgress = outcomes.some(({ kind }) => kind === "completed");
  const head = isProgress ? readGitHead(root)?.head : undefined;
  const noted = head && head !== run.git_head ? { ...run, git_head: head } : run;
  if (noted.status !== "completed") return withReason(noted);
  return { ...noted, archived_as: archiveName(noted.id, now()) };
}

/** Results by step, for the steps that follow. */
export function resultsOf(run: Run): Record<string, Json> {
  const done = run.steps.filter(({ status }) => status === "completed");
  return Object.fromEntries(done.map(({ id, result = null }) => [id, result]));
}

/** What arrives while a runner is busy: how an attempt ended, and what became of a question to the program. */
export type RunNews = { readonly outcome: AttemptOutcome } | ProgramAnswer;

/** Rethrows what the program threw when it was asked: the run stays as it is. */
export function sortNews(arrived: readonly RunNews[]) {
  const outcomes: AttemptOutcome[] = [];
  const answers: { step: Step; decision: ApprovalDecision }[] = [];
  for (const news of arrived) {
    if ("failure" in news) throw news.failure;
    if ("outcome" in news) outcomes.push(news.outcome);
    else if (news.decision) answers.push({ step: news.step, decision: news.decision });
  }
  return { outcomes, answers };
}

/** A decision or cancellation made elsewhere in the meantime stands. */
export function applyAnswer(run: Run, step: Step, decision: ApprovalDecision): Run {
  return stateOf(run, step.id).status === "awaiting_approval" ? decide(run, step, decision) : run;
}

function withReason(run: Run): Run {
  if (run.status !== "failed" || run.reason !== undefined) return run;
  const failed = failedStep(run);
  if (failed === undefined) return run;
  const { reason = "no reason given" } = stateOf(run, failed.id);
  return { ...run, reason: `Step "${failed.id}" failed: ${reason}` };
}

export function notSaved(error: unknown, outcomes: readonly AttemptOutcome[]): unknown {
  const finished = outcomes.filter(({ kind }) => kind === "completed").map(({ step }) => `"${step}"`);
  if (finished.length === 0 || isCheckpointError(error, "conflict")) return error;
  const code = isCheckpointError(error) ? error.code : "failed";
  const message = `The result of ${finished.join(", ")} could not be saved: ${messageOf(error)}`;
  return new CheckpointError(code, message, {
    hint: "Nothing further was started. Fix the cause, then: checkpoint resume",
    cause: error,
  });
}
