import { existsSync } from "node:fs";
import { relative } from "node:path";
import { isCheckpointError } from "../../../core/errors.ts";
import type { WorkflowContext } from "../context.ts";
import { attemptFolder } from "../engine/attempt-folder.ts";
import { verdictOf, type ResumeVerdict } from "../run/resume-check.ts";
import { stateOf, type Run } from "../run/run-state.ts";
import { isOver } from "../../../work/state/run-trail.ts";
import { elsewhereOf } from "../elsewhere.ts";
import { readRun } from "../runner/examine-run.ts";
import { summarize, validate } from "../runner/find-runs.ts";
import { runFolder } from "../runner/run-folder.ts";
import type { Project } from "../../../work/project/project.ts";
import { mayAnswerRun } from "../../../work/project/answering.ts";
import { openRun } from "./open-runs.ts";
import { outcomeOf } from "./run-outcome.ts";

export type RunReport = Awaited<ReturnType<typeof runReport>>;

/** All there is to say of a run: `document` is what `--json` says. */
export async function runReport(project: Project, { run: typed }: { readonly run: string }) {
  const { workflows, id } = await openRun(project, typed, "read");
  const run = await readRun(workflows, id);
  const summary = await summarize(workflows, run);
  const isIdle = !isOver(run.status) && summary.status !== "running";
  const verdict = isIdle ? await verdictOn(workflows, id) : null;
  const isStuck = summary.status === "running" || verdict?.verdict === "re-plan";
  const whyWaiting = (await (await elsewhereOf(project))?.whyWaiting(run)) ?? null;
  const mayAnswer = await mayAnswerRun(project, run);
  const goOn = isStuck ? [] : outcomeOf(workflows, run, { mayAnswer }).go_on.filter(isElsewhere(id));
  const document = {
    run: {
      ...summary,
      request: run.request ?? null,
      inputs: run.inputs,
      secret_inputs: run.secret_inputs,
      jobs: run.jobs,
      epoch: run.epoch,
      crashes: run.crashes,
      runner: run.runner ?? null,
      why_waiting: whyWaiting,
      forked_from: run.forked_from ?? null,
      continued_as: run.continued_as ?? null,
    },
    steps: stepsOf(workflows, run),
    artifacts: Object.values(run.artifacts),
    stale_files: run.stale_files ?? [],
    resume_check: verdict,
    go_on: goOn,
  };
  return { run, summary, verdict, whyWaiting, goOn, outputs: outputsOf(workflows, run), document };
}

/** The reader is already looking at `runs show`. */
const isElsewhere =
  (id: string) =>
  ({ command }: { readonly command: string }) =>
    command !== `checkpoint runs show ${id}`;

/** What the resume check says. A definition that has mistakes now hides nothing of the run: it is one of the reasons. */
async function verdictOn(workflows: WorkflowContext, id: string): Promise<ResumeVerdict> {
  try {
    return await validate(workflows, id);
  } catch (error) {
    if (!isCheckpointError(error, "usage")) throw error;
    const remedy = "Correct the file, then look again.";
    return verdictOf([{ check: "definition", severity: "blocker", message: error.message, remedy }]);
  }
}

function stepsOf(workflows: WorkflowContext, run: Run): object[] {
  return run.definition.map((step) => {
    const state = stateOf(run, step.id);
    return {
      id: step.id,
      kind: step.kind,
      phase: step.phase ?? null,
      agent: step.agent ?? null,
      needs: step.needs,
      command: step.run ?? null,
      question: step.question ?? null,
      options: step.options ?? [],
      status: state.status,
      attempt: state.attempt,
      failures: state.failures,
      crashes: state.crashes,
      started_at: state.started_at ?? null,
      ended_at: state.ended_at ?? null,
      reason: state.reason ?? null,
      adopted: state.adopted ?? false,
      decision: state.decision ?? null,
      result: state.result ?? null,
      output: step.kind === "command" && state.attempt > 0 ? folderOf(workflows, run, step.id).path : null,
    };
  });
}

const folderOf = (workflows: WorkflowContext, run: Run, step: string) =>
  attemptFolder(runFolder(workflows, run.id), step, stateOf(run, step).attempt);

const MANY_OUTPUTS = 3;

/** Where to read the output of the steps that failed or are under way. */
function outputsOf(workflows: WorkflowContext, run: Run): string[] {
  return (
    run.definition
      .filter(
        ({ id, kind }) =>
          kind === "command" && ["failed", "running", "waiting"].includes(stateOf(run, id).status),
      )
      .map(({ id }) => folderOf(workflows, run, id).path)
      // `clean` deletes what old runs printed.
      .filter((path) => existsSync(path))
      .slice(0, MANY_OUTPUTS)
      .map((path) => relative(workflows.root, path))
  );
}
