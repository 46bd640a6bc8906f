import { CheckpointError } from "../../../core/errors.ts";
import { visible } from "../../../core/text/visible.ts";
import type { Project } from "../../../work/project/project.ts";
import { isTrustedSchedule, trustSchedule } from "../../../work/project/trust.ts";
import { askYesNo } from "../../../work/terminal/ask.ts";
import type { Context } from "../../../work/terminal/context.ts";
import type { Output } from "../../../work/terminal/output.ts";
import type { WorkflowContext } from "../../workflow/context.ts";
import { isModule } from "../../workflow/definition/is-module.ts";
import { chooseWorkflow } from "../../workflow/verbs/choose-workflow.ts";
import { openRuns } from "../../workflow/verbs/open-runs.ts";
import { commandsOf } from "../../workflow/verbs/run-trust.ts";
import { openSchedules } from "../book.ts";
import { wordsOf, type Schedule } from "../schedule.ts";

/**
 * Makes sure that the user wants what the schedules start. Those that the user did not add here came with a repository, an
 * import or a remote: they are shown with their commands, and need a yes or `--trust`.
 */
export async function confirmSchedules(
  context: Context,
  { project, trust }: { readonly project: Project; readonly trust: boolean },
  output: Output,
): Promise<void> {
  const workflows = await openRuns(project, "write");
  const foreign: Schedule[] = [];
  for (const schedule of (await openSchedules(workflows.cairn)).schedules)
    if (!(await isTrustedSchedule(workflows, wordsOf(schedule)))) foreign.push(schedule);
  if (foreign.length === 0) return;
  const shown = await Promise.all(foreign.map(async (schedule) => commandsIn(project, schedule)));
  const words = `Schedules that you did not add here would run this on your machine:\n${shown.join("\n")}`;
  if (!trust && !context.isInteractive) throw notTrusted(words);
  output.message(words);
  if (!trust && !(await askYesNo(context, output, "Start them when they are due?", { enter: false })))
    throw notTrusted("Nothing was started.");
  for (const schedule of foreign) await trustSchedule(workflows, wordsOf(schedule));
}

/** Rejects for a schedule that appeared meanwhile, as with a pull. */
export async function checkSchedule(workflows: WorkflowContext, schedule: Schedule): Promise<void> {
  if (await isTrustedSchedule(workflows, wordsOf(schedule))) return;
  throw new CheckpointError("refused", "It was not added here. To look at it: checkpoint schedule run");
}

async function commandsIn(project: Project, schedule: Schedule): Promise<string> {
  const { name, cron, file, inputs } = schedule;
  const given = Object.keys(inputs).length === 0 ? "" : ` ${JSON.stringify(inputs)}`;
  return visible(`${name} (${cron}) ${file}${given}\n`) + (await commandsOfFile(project, file));
}

async function commandsOfFile(project: Project, file: string): Promise<string> {
  // To load a program is to run it.
  if (isModule(file)) return commandsOf({ file, definition: [] });
  try {
    const { workflow } = await chooseWorkflow(project, { cwd: project.root, file });
    return commandsOf({ file, definition: workflow.steps });
  } catch {
    return "  what that file says when it is due: it cannot be read now";
  }
}

function notTrusted(words: string): CheckpointError {
  return new CheckpointError("refused", words, {
    hint: "Read it. If you want these commands to run: checkpoint schedule run --trust",
  });
}
