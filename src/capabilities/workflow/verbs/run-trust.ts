import { oneLine, visible } from "../../../core/text/visible.ts";
import type { WorkflowContext } from "../context.ts";
import { isModule } from "../definition/is-module.ts";
import type { CommandLine } from "../definition/source-words.ts";
import type { Workflow } from "../definition/types.ts";
import type { Run } from "../run/run-state.ts";
import { workflowOf } from "../runner/examine-run.ts";
import { shellWord } from "../../../core/text/shell-word.ts";
import { agreeTo, isAgreedTo, isOwnRun, trustRun } from "../../../work/project/trust.ts";

/** Whether a run may go on, and with which definition; without one it may be read again. */
export interface RunTrust {
  readonly isOwn: boolean;
  readonly isTrusted: boolean;
  readonly workflow?: Workflow | undefined;
}

/**
 * What is known about a run's commands. Of one that came from elsewhere only those are trusted that the user has said
 * yes to: its file came from elsewhere too, so what that says by now is looked at like the rest.
 */
export async function trustOfRun(workflows: WorkflowContext, run: Run): Promise<RunTrust> {
  if (await isOwnRun(workflows, run.id)) return { isOwn: true, isTrusted: true };
  const isAgreed = async (definition: Run["definition"]) => {
    const commands = commandsOf(run, definition);
    return commands === NOTHING || isAgreedTo(workflows, run.id, commands);
  };
  const stored = { isOwn: false, workflow: isProgram(run) ? undefined : storedWorkflow(run) };
  if (!(await isAgreed(run.definition))) return { ...stored, isTrusted: false };
  const found = isProgram(run) ? undefined : await workflowOf(workflows, run, {});
  if (found === undefined) return { ...stored, isTrusted: true };
  return { isOwn: false, isTrusted: await isAgreed(found.steps), workflow: found };
}

/** What the user has said about the line that a fork came from holds for the fork too. */
export async function trustFork(
  workflows: WorkflowContext,
  fork: Run,
  { isOwn: isUsers, workflow }: RunTrust,
): Promise<void> {
  if (isUsers) return trustRun(workflows, fork.id);
  for (const definition of [fork.definition, workflow?.steps ?? fork.definition])
    await agreeTo(workflows, fork.id, commandsOf(fork, definition));
}

const isProgram = ({ file }: Pick<Run, "file">) => file !== undefined && isModule(file);

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

/** Every command that a run may run, each with its step. This text is what the user says yes to. */
export function commandsOf(run: Pick<Run, "file" | "definition">, definition = run.definition): string {
  const lines = definition.flatMap((step) => [
    ...(step.run === undefined ? [] : [`  ${oneLine(step.id)}: ${commandText(step.run)}`]),
    ...(step.verify === undefined ? [] : [`  ${oneLine(step.id)} (verify): ${commandText(step.verify)}`]),
    ...(step.env === undefined ? [] : [`  ${oneLine(step.id)} (env): ${visible(JSON.stringify(step.env))}`]),
  ]);
  const program = isProgram(run) ? [`  the program ${oneLine(run.file!)}, which is loaded`] : [];
  return [...program, ...lines].join("\n") || NOTHING;
}

/** There is nothing to agree to. */
const NOTHING = "  nothing: it has no commands";

/** Whole, because what is cut could be what matters. */
export function commandText(command: CommandLine): string {
  if (typeof command !== "string") return visible(command.map(shellWord).join(" "));
  return visible(command).replaceAll("\n", "\n    ");
}
