import { oneLine } from "../../../core/text/visible.ts";
import type { Run } from "../run/run-state.ts";
import type { Context } from "../../../work/terminal/context.ts";
import type { Output } from "../../../work/terminal/output.ts";
import { ago } from "../../../core/text/time.ts";
import { askUntil, askYesNo } from "../../../work/terminal/ask.ts";

/**
 * Asks whether to start fresh where the file that a run was imported from looks wrong. Without a terminal, or without a
 * yes, nothing is put aside, and the resume check refuses.
 */
export async function wantsFresh(
  context: Context,
  { id, import_problems: problems = [] }: Run,
  output: Output,
): Promise<boolean> {
  if (!context.isInteractive || problems.length === 0) return false;
  for (const problem of problems) output.warning(`Run ${oneLine(id)}: ${oneLine(problem)}`);
  return (
    (await askYesNo(context, output, "The state appears corrupted. Start fresh?", { enter: false })) ?? false
  );
}

/**
 * Asks what to do about a run that nobody has moved for a week: what it was about may be out of date. Without a terminal it
 * goes on, and the resume check warns.
 */
export async function askAboutStale(
  context: Context,
  { id, updated_at }: Run,
  output: Output,
): Promise<"resume" | "archive" | "leave"> {
  if (!context.isInteractive) return "resume";
  output.warning(`Run ${oneLine(id)} last moved ${ago(updated_at, context.now())}: it may be out of date.`);
  const prompt = "Resume it, archive it, or leave it? [r/a, Enter to leave it] ";
  const meaningOf = (answer: string) =>
    answer === "" ? "leave" : (["resume", "archive"] as const).find((each) => each.startsWith(answer));
  return (await askUntil(context, output, prompt, (typed) => meaningOf(typed.toLowerCase()))) ?? "leave";
}
