import { messageOf } from "../../core/errors.ts";
import { oneLine } from "../../core/text/visible.ts";
import type { Project } from "../../work/project/project.ts";
import type { WorkflowContext } from "../workflow/context.ts";
import type { Workflow } from "../workflow/definition/types.ts";
import { elsewhereOf } from "../workflow/elsewhere.ts";
import { chooseWorkflow } from "../workflow/verbs/choose-workflow.ts";
import { openRuns } from "../workflow/verbs/open-runs.ts";
import { noteDue, openSchedules } from "./book.ts";
import { dueRunId, dueTimes, type Schedule } from "./schedule.ts";

export interface FireOptions {
  readonly begin: BeginRun;
  /** Rejects for a schedule that may not start anything here. Asked before its workflow is read. */
  readonly check?: (workflows: WorkflowContext, schedule: Schedule) => Promise<void>;
}

/** Begins a run. False when there is one of that name: another process was quicker. */
export type BeginRun = (
  workflows: WorkflowContext,
  workflow: Workflow,
  start: { readonly runId: string; readonly inputs: Readonly<Record<string, string>> },
) => Promise<boolean>;

/**
 * Begins the runs that are due, each once, however many processes ask: a run is named after its schedule and its time, and a
 * name is taken once. What cannot be begun is told and tried again. Resolves to the names of the runs that it began.
 */
export async function fireDue(project: Project, { begin, check }: FireOptions): Promise<readonly string[]> {
  const workflows = await openRuns(project, "write");
  const book = await openSchedules(workflows.cairn);
  const begun: string[] = [];
  for (const schedule of book.schedules) {
    // One that cannot be read must not keep the others from starting.
    let subject = `Schedule "${oneLine(schedule.name)}"`;
    try {
      for (const due of dueTimes(schedule, project.now())) {
        const runId = dueRunId(schedule, due);
        subject = runId;
        await check?.(workflows, schedule);
        const { workflow } = await chooseWorkflow(project, { cwd: project.root, file: schedule.file });
        if (await begin(workflows, workflow, { runId, inputs: schedule.inputs })) begun.push(runId);
        await noteDue(book, schedule.name, due);
      }
    } catch (error) {
      project.notices.warning(`${subject} could not be started: ${messageOf(error)}`);
    }
  }
  return begun;
}

/** For workers: what is due is handed to them. */
export async function handInDue(project: Project): Promise<readonly string[]> {
  const workers = await elsewhereOf(project);
  if (workers === undefined) return [];
  return fireDue(project, {
    begin: async (workflows, workflow, start) => (await workers.submit(workflows, workflow, start)).isNew,
  });
}
