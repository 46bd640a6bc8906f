import { CheckpointError } from "../../../core/errors.ts";
import { commandsOf, type RunTrust, trustOfRun } from "../verbs/run-trust.ts";
import { agreeTo } from "../../../work/project/trust.ts";
import { shellWord } from "../../../core/text/shell-word.ts";
import { oneLine } from "../../../core/text/visible.ts";
import type { WorkflowContext } from "../context.ts";
import type { Run } from "../run/run-state.ts";
import type { ForkOptions } from "../runner/fork-run.ts";
import type { Context } from "../../../work/terminal/context.ts";
import type { Output } from "../../../work/terminal/output.ts";
import { askYesNo } from "../../../work/terminal/ask.ts";

/**
 * Makes sure that the user wants the commands of a run to run. One that came from elsewhere shows them and needs a
 * yes, or `--trust`: nothing else runs than what the user said yes to.
 */
export async function confirmTrust(
  context: Context,
  workflows: WorkflowContext,
  {
    run,
    trust,
    fork = {},
  }: { readonly run: Run; readonly trust: boolean; readonly fork?: ForkOptions | undefined },
  output: Output,
): Promise<RunTrust> {
  const known = await trustOfRun(workflows, run);
  if (known.isTrusted) return known;
  const words = commandsOf(run, known.workflow?.steps);
  if (!trust && !context.isInteractive) throw notTrusted(run, words, optionsOf(fork));
  output.message(
    `Run "${oneLine(run.id)}" came from elsewhere. It would run this on your machine:\n${words}`,
  );
  if (!trust && !(await askYesNo(context, output, "Run these commands?", { enter: false })))
    throw saidNo(run);
  await agreeTo(workflows, run.id, words);
  return { ...known, isTrusted: true };
}

/** The options that a fork was asked for with, to be typed again. */
function optionsOf({ after, redo, from }: ForkOptions): string {
  const options = { "resume-step": after, redo, from };
  return Object.entries(options)
    .map(([name, value]) => (value === undefined ? "" : ` --${name} ${shellWord(String(value))}`))
    .join("");
}

function notTrusted({ id }: Run, words: string, options: string): CheckpointError {
  return new CheckpointError(
    "refused",
    `Run "${id}" came from elsewhere, and would run this on your machine:\n${words}`,
    {
      hint: `Read it. If you want these commands to run: checkpoint resume ${id}${options} --trust`,
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
