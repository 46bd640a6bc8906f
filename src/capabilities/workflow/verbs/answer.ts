import { decideRun } from "../runner/decide-run.ts";
import { readRun } from "../runner/examine-run.ts";
import { isDriven } from "../runner/run-lease.ts";
import { elsewhereOf } from "../elsewhere.ts";
import { cleanNotes } from "../../../work/project/commit-work.ts";
import type { Project } from "../../../work/project/project.ts";
import { refusePulled } from "../../../work/project/trust.ts";
import { admitAnswer, answererOf, asPerson, questionFor } from "../../../work/project/answering.ts";
import { type Decider, deciderOf } from "./decider.ts";
import { openRun, openRuns } from "./open-runs.ts";
import type { InputOf } from "../../../work/verbs/field.ts";
import type { WORKFLOWS } from "../verbs.ts";

export interface AnswerInput extends InputOf<(typeof WORKFLOWS)["answer"]> {
  /** Who decides, if not the caller: a name that was given, or an identity that the door vouches for. */
  readonly by?: string | Decider | undefined;
}

export type AnswerResult = Awaited<ReturnType<typeof answer>>;

/** Answers a question of a run, whether or not its runner is alive: `approve` and `reject`. */
export async function answer(project: Project, input: AnswerInput) {
  const { approved, step, by } = input;
  const { workflows: found, id } = await openRun(project, input.run, "write", null);
  await refusePulled(found, id);
  const isVouched = typeof by === "object";
  const answerer = isVouched ? asPerson(project) : await answererOf(project);
  const question = questionFor(await readRun(found, id));
  const workflows = await openRuns(answerer.project, "write", await admitAnswer(answerer, question));
  const decider = isVouched ? by : deciderOf(answerer, by);
  const { notes: reason } = await cleanNotes(project, input.reason?.trim() || undefined);
  const { decision, changed, run, ...decided } = await decideRun(workflows, id, {
    approved,
    step,
    option: approved ? input.option : undefined,
    reason,
    digest: input.digest,
    ...decider,
  });
  await (await elsewhereOf(project))?.move(workflows, run);
  return {
    run_id: id,
    step: decided.step.id,
    decision,
    decider,
    // Files that were approved as they are now, although they changed after the question was asked.
    changed,
    runner_alive: await isDriven(workflows, run),
    runs_on: run.runs_on,
    go_on: `checkpoint resume ${id}`,
  };
}
