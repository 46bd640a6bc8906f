import { messageOf } from "../../core/errors.ts";
import type { Project } from "../../work/project/project.ts";
import type { WorkflowContext } from "../workflow/context.ts";
import type { Workflow } from "../workflow/definition/types.ts";
import { elsewhereOf } from "../workflow/elsewhere.ts";
import { chooseWorkflow } from "../workflow/verbs/choose-workflow.ts";
import { openRuns } from "../workflow/verbs/open-runs.ts";
import { noteDue, openSchedules } from "./book.ts";
import { dueRunId, dueTimes } from "./schedule.ts";

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
export async function fireDue(project: Project, begin: BeginRun): Promise<readonly string[]> {
  const workflows = await openRuns(project, "write");
  const book = await openSchedules(workflows.cairn);
  const begun: string[] = [];
  for (const schedule of book.schedules) {
    for (const due of dueTimes(schedule, project.now())) {
      const runId = dueRunId(schedule, due);
      try {
        const { workflow } = await chooseWorkflow(project, { cwd: project.root, file: schedule.file });
        if (await begin(workflows, workflow, { runId, inputs: schedule.inputs })) begun.push(runId);
      } catch (error) {
        const why = messageOf(error);
        project.notices.warning(`${runId} could not be started: ${why}`);
        break;
      }
      await noteDue(book, schedule.name, due);
    }
  }
  return begun;
}

/** For workers: what is due is handed to them. */
export async function handInDue(project: Project): Promise<readonly string[]> {
  const workers = await elsewhereOf(project);
  if (workers === undefined) return [];
  return fireDue(
    project,
    async (workflows, workflow, start) => (await workers.submit(workflows, workflow, start)).isNew,
  );
}
