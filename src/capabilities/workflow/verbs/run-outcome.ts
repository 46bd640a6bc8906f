import { resumeCommandOf } from "../run/resume-command.ts";
import { recordedPath } from "../../../work/machine/recorded-path.ts";
import { oneLine } from "../../../core/text/visible.ts";
import type { WorkflowContext } from "../context.ts";
import type { Step } from "../definition/types.ts";
import { artifactsBefore } from "../run/approval.ts";
import { progressOf } from "../run/progress.ts";
import { stateOf, stepsWith, type Run } from "../run/run-state.ts";
import type { RunStatus } from "../../../work/state/run-trail.ts";
import { attemptFolder } from "../engine/attempt-folder.ts";
import { runFolder } from "../runner/run-folder.ts";
import type { NextCommand } from "../../../work/project/next-command.ts";
import { shellWord } from "../../../core/text/shell-word.ts";

/** How a run stands when its command ends: what `--json` says last. */
export type RunOutcome = ReturnType<typeof outcomeOf>;

/** The exit status of a command that ran or resumed a workflow: part of the public contract. */
const EXIT_STATUS: Readonly<Record<RunStatus, number>> = {
  completed: 0,
  pending: 1,
  running: 1,
  failed: 1,
  cancelled: 1,
  archived: 1,
  awaiting_approval: 4,
  paused: 130,
};

export function outcomeOf(
  workflows: Pick<WorkflowContext, "root" | "folder">,
  run: Run,
  { mayAnswer = true }: { readonly mayAnswer?: boolean } = {},
) {
  const { completed, total, percent } = progressOf(run);
  const failed = stepsWith(run, "failed")
    .filter((step) => step.reviewer === undefined)
    .map(({ id, kind }) => {
      const { attempt, reason = "" } = stateOf(run, id);
      const folder = attemptFolder(runFolder(workflows, run.id), id, attempt).path;
      const isHere = kind === "command" && run.runs_on !== "workers";
      /** The folder with all that it printed; empty where a worker ran it: then it is in the store. */
      const output = isHere ? recordedPath(workflows.root, folder) : "";
      const logs = kind === "command" ? `checkpoint runs logs ${shellWord(run.id)} ${shellWord(id)}` : "";
      return { step: id, attempt, reason, output, logs };
    });
  return {
    run_id: run.id,
    workflow: run.workflow,
    status: run.status,
    exit_status: EXIT_STATUS[run.status],
    reason: run.reason ?? null,
    completed,
    total,
    percent,
    questions: stepsWith(run, "awaiting_approval").map((step) => questionOf(run, step)),
    failed,
    artifacts: Object.keys(run.artifacts).length,
    forked_from: run.forked_from?.run ?? null,
    stale_files: run.stale_files ?? [],
    go_on: commandsAfter(run, mayAnswer),
  };
}

/** A question of a run, with what there is to look at before deciding. */
export function questionOf(run: Run, step: Step) {
  return {
    step: step.id,
    question: step.question ?? step.id,
    options: step.options ?? [],
    files: artifactsBefore(run, step).map(({ path }) => path),
    /** Why it is asked again. */
    reason: stateOf(run, step.id).reason ?? null,
  };
}

/** What to type next: only what would be allowed. */
function commandsAfter(run: Run, mayAnswer: boolean): NextCommand[] {
  const { id, status, workflow, artifacts } = run;
  const questions = stepsWith(run, "awaiting_approval");
  const step = (command: string, why: string): NextCommand => ({ command: `checkpoint ${command}`, why });
  switch (status) {
    case "awaiting_approval":
      if (!mayAnswer) return [step(`runs show ${id}`, "a person answers, in a terminal or in the page")];
      return [
        ...questions.flatMap(({ id: name, options: [first] = [] }) => {
          const which = questions.length > 1 ? ` ${name}` : "";
          return [
            step(
              `approve ${id}${which}${first === undefined ? "" : ` --choose ${shellWord(oneLine(first))}`}`,
              "yes",
            ),
            step(`reject ${id}${which} --reason "…"`, "no"),
          ];
        }),
        { command: resumeCommandOf(run), why: "then continue" },
      ];
    case "failed":
      return [
        { command: resumeCommandOf(run), why: "once the cause is fixed; what is done stays done" },
        step(`runs show ${id}`, "where it stands"),
      ];
    case "paused":
    case "running":
    case "pending":
      return [{ command: resumeCommandOf(run), why: "continues exactly here" }];
    case "completed":
      return [
        Object.keys(artifacts).length > 0
          ? step(`artifacts ${id}`, "what it produced")
          : step(`runs show ${id}`, "what it did"),
        step(`summary --trail run/${id}`, "a briefing on it"),
      ];
    case "cancelled":
    case "archived":
      break;
  }
  if (run.continued_as !== undefined)
    return [step(`runs show ${run.continued_as}`, "the run that does what was left")];
  return [step(`resume ${id} --resume-step 0`, `a new run of ${oneLine(workflow)} from the beginning`)];
}
