import type { WorkflowContext } from "../../workflow/context.ts";
import { secretDefaults } from "../../workflow/definition/inputs.ts";
import type { Workflow } from "../../workflow/definition/types.ts";
import { oneLine } from "../../handoff/visible.ts";
import type { GateVerdict } from "../../workflow/run/gate.ts";
import { isMet, stateOf, type Run } from "../../workflow/run/run-state.ts";
import { cleanerFor } from "../../workflow/runner/clean-text.ts";
import { forkRun, type ForkOptions } from "../../workflow/runner/fork-run.ts";
import { workflowOf } from "../../workflow/runner/examine-run.ts";
import { resumeRun } from "../../workflow/runner/resume-run.ts";
import type { Context } from "../context.ts";
import type { Output } from "../output.ts";
import { confirmTrust } from "./confirm-trust.ts";
import { type GivenInputs, withSecrets } from "./secret-inputs.ts";
import { trustRun } from "./trust.ts";
import { watchRun } from "./watch-run.ts";

export interface ContinueOptions {
  readonly given: GivenInputs;
  /** The definition, where it has been loaded already. */
  readonly workflow?: Workflow | undefined;
  readonly fork?: ForkOptions | undefined;
  readonly jobs?: number | undefined;
  /** Whether somebody meant this very run. If not, a run that crashes again and again is paused after a while. */
  readonly isMeant: boolean;
  readonly trust: boolean;
  readonly takeOver: boolean;
  readonly acceptChanges?: boolean;
  readonly killOrphans?: boolean;
}

/** Goes on with a run that is there, or with a fork of it, and stays with it to its end. */
export async function continueRun(
  context: Context,
  workflows: WorkflowContext,
  run: Run,
  options: ContinueOptions,
  output: Output,
): Promise<number> {
  const shown = await confirmTrust(context, workflows, { run, trust: options.trust }, output);
  const target = options.fork === undefined ? run : await fork(context, workflows, run, options.fork, output);
  const isOpen = target.status !== "completed";
  const names = isOpen ? target.secret_inputs : [];
  const workflow = shown ?? options.workflow ?? (await definitionFor(workflows, target, names));
  const defaults = secretDefaults(target.secret_defaults, workflow);
  const required = names.filter((name) => defaults[name] === undefined);
  const asked = await withSecrets(context, { given: options.given, names, required }, output);
  const inputs = { ...defaults, ...asked };
  const definition = options.workflow?.steps ?? target.definition;
  const done = definition.filter((step) => isMet(step, stateOf(target, step.id))).map(({ id }) => id);
  if (!isOpen) output.message(`Run "${oneLine(target.id)}" was completed already.`);
  const secrets = Object.fromEntries(names.map((name) => [name, inputs[name]!]));
  const steps = { steps: definition, done: new Set(done), mask: cleanerFor(secrets).mask };
  // What failed gets another chance also when nobody is there: only crashes are counted.
  const isExplicit = options.isMeant || context.isInteractive || !isCrashing(target);
  const { jobs, takeOver, acceptChanges = false, killOrphans = false } = options;
  return watchRun({ context, workflows, output }, steps, (watched) =>
    resumeRun(workflows, target.id, {
      ...watched,
      inputs,
      workflow,
      isExplicit,
      jobs,
      takeOver,
      acceptChanges,
      killOrphans,
      onGate: (verdict) => warn(verdict, output),
    }),
  );
}

/** Where a secret has a default, only the definition knows it. */
async function definitionFor(workflows: WorkflowContext, run: Run, secrets: readonly string[]) {
  return secrets.length === 0 ? undefined : workflowOf(workflows, run, { mayLoadPrograms: true });
}

const isCrashing = ({ status, crashes }: Run) => status === "running" || crashes > 0;

async function fork(
  context: Context,
  workflows: WorkflowContext,
  run: Run,
  options: ForkOptions,
  output: Output,
): Promise<Run> {
  const forked = await forkRun(workflows, run.id, options);
  // The user's trust in the line that it came from is in this one too.
  await trustRun(context, workflows, forked.id);
  output.message(`Forked ${oneLine(run.id)} as ${oneLine(forked.id)}; the old line stays as it is.`);
  return forked;
}

/** Blockers are told by the error that follows. */
function warn({ findings }: GateVerdict, output: Output): void {
  for (const { severity, message, remedy } of findings)
    if (severity === "warning") output.warning(`${oneLine(message)}\n  ${oneLine(remedy)}`);
}
