import { CheckpointError } from "../../../core/errors.ts";
import type { EarlierRun } from "../verbs/earlier-run.ts";
import { oneLine } from "../../../core/text/visible.ts";
import type { Workflow } from "../definition/types.ts";
import type { RunSummary } from "../runner/find-runs.ts";
import type { WorkflowOptions } from "../verbs.ts";
import type { Context } from "../../../work/terminal/context.ts";
import type { Output } from "../../../work/terminal/output.ts";
import { ago } from "../../../core/text/time.ts";
import { count, words } from "../../../work/state/words.ts";
import { askYesNo } from "../../../work/terminal/ask.ts";
import type { GivenInputs } from "./inputs.ts";

/** What is to be done about the earlier run: go on with it, put it aside for a new one, or nothing, beside it. */
export type EarlierRunChoice = "resume" | "archive" | "start";

interface RunRequest extends WorkflowOptions<"run"> {
  readonly earlier: EarlierRun | undefined;
  readonly given: GivenInputs;
  readonly workflow: Workflow;
  /** How the workflow is named in a command. */
  readonly words: string;
}

export async function chooseAboutEarlier(
  context: Context,
  request: RunRequest,
  output: Output,
): Promise<EarlierRunChoice> {
  const { earlier, resume, fresh, resumeStep, dryRun, yes } = request;
  if (earlier === undefined) {
    if (resume || resumeStep !== undefined) throw nothingToResume(request);
    return "start";
  }
  const { summary } = earlier;
  if (resume || resumeStep !== undefined) return resumeAsStarted(request, earlier);
  if (!summary.can_resume) throw nameTaken(earlier);
  if (summary.status === "running") throw movedByAnother(earlier, request);
  if (fresh) return "archive";
  if (dryRun) return "resume";
  if (yes) return resumeAsStarted(request, earlier);
  if (!context.isInteractive) throw undecided(earlier, request);
  output.message(earlierText(summary, context.now()));
  const other = differences(request, earlier);
  if (other.length > 0) output.warning(`It was started with ${other.join(", ")}, and would keep that.`);
  return (await askYesNo(context, output, `Resume from ${stepOf(summary)}?`)) ? "resume" : "archive";
}

const stepOf = ({ next }: RunSummary) => next.slice(0, 3).map(oneLine).join(", ") || "the end";

function earlierText({ id, status, completed, total, percent, updated_at }: RunSummary, now: Date): string {
  const far = `${completed} of ${count(total, "step")} done (${percent} %)`;
  return `Run ${oneLine(id)} of this workflow is ${words(status)}: ${far}, ${ago(updated_at, now)}.`;
}

/** Inputs that the run was started with, where something else was typed now. */
function differences({ given, workflow }: RunRequest, { run }: EarlierRun): string[] {
  return Object.entries(given)
    .filter(([key, value]) => !workflow.inputs[key]?.secret && run.inputs[key] !== value)
    .map(([key]) => `${oneLine(key)}=${oneLine(run.inputs[key] ?? "")}`);
}

function resumeAsStarted(request: RunRequest, earlier: EarlierRun): EarlierRunChoice {
  const other = differences(request, earlier);
  if (other.length === 0) return "resume";
  const { id } = earlier.summary;
  throw new CheckpointError("conflict", `Run "${id}" was started with ${other.join(", ")}.`, {
    hint: resumeOrFresh(id, request),
    details: { run: id, inputs: earlier.run.inputs },
  });
}

function undecided({ summary }: EarlierRun, request: RunRequest): CheckpointError {
  const { id, status, completed, total } = summary;
  return new CheckpointError(
    "conflict",
    `Run "${id}" of this workflow is unfinished: ${words(status)}, ${completed} of ${count(total, "step")} done, next ${stepOf(summary)}.`,
    {
      hint: resumeOrFresh(id, request),
      details: { run: id, status, completed, total, next: summary.next },
    },
  );
}

const resumeOrFresh = (id: string, { words: name }: RunRequest) =>
  `To continue it: checkpoint resume ${id}\nTo archive it and start a new one: checkpoint run ${name} --fresh`;

function movedByAnother({ run, summary }: EarlierRun, { words: name }: RunRequest): CheckpointError {
  const who =
    run.runner === undefined ? "Another process" : `Process ${run.runner.pid} on ${run.runner.host}`;
  return new CheckpointError("conflict", `${who} is moving run "${summary.id}" of this workflow right now.`, {
    hint: `To see where it stands: checkpoint runs show ${summary.id}\nTo start another beside it: checkpoint run ${name} --run-id NAME`,
    details: { run: summary.id },
  });
}

function nameTaken({ summary }: EarlierRun): CheckpointError {
  return new CheckpointError(
    "conflict",
    `There is already a run "${summary.id}": it is ${words(summary.status)}.`,
    {
      hint: "Choose another name with --run-id, or leave it out.",
      details: { run: summary.id, status: summary.status },
    },
  );
}

function nothingToResume({ runId, workflow, words: name }: RunRequest): CheckpointError {
  const what =
    runId === undefined
      ? `Workflow "${workflow.name}" has no unfinished run.`
      : `There is no run "${runId}".`;
  return new CheckpointError("not-found", what, { hint: `To start one: checkpoint run ${name}` });
}
