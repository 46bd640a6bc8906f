import { CheckpointError } from "../../errors.ts";
import { oneLine, visible } from "../../handoff/visible.ts";
import type { WorkflowContext } from "../../workflow/context.ts";
import { isModule } from "../../workflow/definition/is-module.ts";
import type { CommandLine, Workflow } from "../../workflow/definition/types.ts";
import type { Run } from "../../workflow/run/run-state.ts";
import type { Context } from "../context.ts";
import type { Output } from "../output.ts";
import { shellWord } from "../shell-word.ts";
import { askYesNo } from "./ask.ts";
import { isTrusted, trustRun } from "./trust.ts";

/**
 * Makes sure that the user wants the commands of a run to run. One that came from elsewhere shows them and needs a
 * yes, or `--trust`. Returns the definition that was shown, so that nothing else runs than what the user said yes
 * to; undefined where the definition may be read anew.
 */
export async function confirmTrust(
  context: Context,
  workflows: WorkflowContext,
  { run, trust }: { readonly run: Run; readonly trust: boolean },
  output: Output,
): Promise<Workflow | undefined> {
  if (await isTrusted(context, workflows, run.id)) return undefined;
  const words = commandsOf(run);
  if (!trust && !context.isInteractive) throw notTrusted(run, words);
  output.message(
    `Run "${oneLine(run.id)}" came from elsewhere. It would run this on your machine:\n${words}`,
  );
  if (!trust && !(await askYesNo(context, output, "Run these commands?", { enter: false })))
    throw saidNo(run);
  await trustRun(context, workflows, run.id);
  return isProgram(run) ? undefined : storedWorkflow(run);
}

const isProgram = ({ file }: Run) => file !== undefined && isModule(file);

function storedWorkflow({ workflow, file, jobs, definition }: Run): Workflow {
  return {
    name: workflow,
    ...(file !== undefined && { file }),
    inputs: {},
    jobs,
    steps: definition,
    functions: new Map(),
  };
}

/** Every command that a run may run, each with its step. */
function commandsOf(run: Run): string {
  const lines = run.definition.flatMap((step) => [
    ...(step.run === undefined ? [] : [`  ${oneLine(step.id)}: ${commandText(step.run)}`]),
    ...(step.verify === undefined ? [] : [`  ${oneLine(step.id)} (verify): ${commandText(step.verify)}`]),
    ...(step.env === undefined ? [] : [`  ${oneLine(step.id)} (env): ${visible(JSON.stringify(step.env))}`]),
  ]);
  const program = isProgram(run) ? [`  the program ${oneLine(run.file!)}, which is loaded`] : [];
  return [...program, ...lines].join("\n") || "  nothing: it has no commands";
}

/** Whole, because what is cut could be what matters. */
export function commandText(command: CommandLine): string {
  if (typeof command !== "string") return visible(command.map(shellWord).join(" "));
  return visible(command).replaceAll("\n", "\n    ");
}

function notTrusted({ id }: Run, words: string): CheckpointError {
  return new CheckpointError(
    "refused",
    `Run "${id}" came from elsewhere, and would run this on your machine:\n${words}`,
    {
      hint: `Read it. If you want these commands to run: checkpoint resume ${id} --trust`,
      details: { run: id },
    },
  );
}

function saidNo({ id }: Run): CheckpointError {
  return new CheckpointError("refused", `Nothing of run "${id}" was run.`, {
    hint: `checkpoint runs show ${id}`,
    details: { run: id },
  });
}
