import { CheckpointError } from "../../errors.ts";
import { oneLine, visible } from "../../text/visible.ts";
import type { WorkflowContext } from "../../workflow/context.ts";
import { isModule } from "../../workflow/definition/is-module.ts";
import type { CommandLine, Workflow } from "../../workflow/definition/types.ts";
import type { Run } from "../../workflow/run/run-state.ts";
import { workflowOf } from "../../workflow/runner/examine-run.ts";
import type { Context } from "../context.ts";
import type { Output } from "../output.ts";
import { shellWord } from "../../text/shell-word.ts";
import { askYesNo } from "./ask.ts";
import { agreeTo, isAgreedTo, isOwn, trustRun } from "../../project/trust.ts";

/** Whether a run may go on, and with which definition; without one it may be read anew. */
export interface Trust {
  readonly isOwn: boolean;
  readonly isTrusted: boolean;
  readonly workflow?: Workflow | undefined;
}

/**
 * What is known about a run's commands. Of one that came from elsewhere only those are trusted that the user has said
 * yes to: its file came from elsewhere too, so what that says by now is looked at like the rest.
 */
export async function trustIn(context: Context, workflows: WorkflowContext, run: Run): Promise<Trust> {
  if (await isOwn(context, workflows, run.id)) return { isOwn: true, isTrusted: true };
  const isAgreed = (definition: Run["definition"]) =>
    isAgreedTo(context, workflows, run.id, commandsOf(run, definition));
  const stored = { isOwn: false, workflow: isProgram(run) ? undefined : storedWorkflow(run) };
  if (!(await isAgreed(run.definition))) return { ...stored, isTrusted: false };
  const found = isProgram(run) ? undefined : await workflowOf(workflows, run, {});
  if (found === undefined) return { ...stored, isTrusted: true };
  return { isOwn: false, isTrusted: await isAgreed(found.steps), workflow: found };
}

/**
 * Makes sure that the user wants the commands of a run to run. One that came from elsewhere shows them and needs a
 * yes, or `--trust`: nothing else runs than what the user said yes to.
 */
export async function confirmTrust(
  context: Context,
  workflows: WorkflowContext,
  { run, trust }: { readonly run: Run; readonly trust: boolean },
  output: Output,
): Promise<Trust> {
  const known = await trustIn(context, workflows, run);
  if (known.isTrusted) return known;
  const words = commandsOf(run, known.workflow?.steps);
  if (!trust && !context.isInteractive) throw notTrusted(run, words);
  output.message(
    `Run "${oneLine(run.id)}" came from elsewhere. It would run this on your machine:\n${words}`,
  );
  if (!trust && !(await askYesNo(context, output, "Run these commands?", { enter: false })))
    throw saidNo(run);
  await agreeTo(context, workflows, run.id, words);
  return { ...known, isTrusted: true };
}

/** What the user has said about the line that a fork came from holds for the fork too. */
export async function trustFork(
  context: Context,
  workflows: WorkflowContext,
  fork: Run,
  { isOwn: isUsers, workflow }: Trust,
): Promise<void> {
  if (isUsers) return trustRun(context, workflows, fork.id);
  for (const definition of [fork.definition, workflow?.steps ?? fork.definition])
    await agreeTo(context, workflows, fork.id, commandsOf(fork, definition));
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
function commandsOf(run: Run, definition = run.definition): string {
  const lines = definition.flatMap((step) => [
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
