import { handoff } from "../../handoff/handoff.ts";
import { budgetOf } from "../../handoff/options.ts";
import { readSettings } from "../config/settings.ts";
import type { Context } from "../context.ts";
import { openToRead } from "../open.ts";
import type { Output } from "../output.ts";
import type { OptionsOf } from "../spec.ts";
import type { SAVING } from "../table/saving.ts";

/** Print a briefing for the next agent, within a token budget */
export async function summary(
  context: Context,
  options: OptionsOf<typeof SAVING.summary>,
  output: Output,
): Promise<void> {
  const { cairn, trail, root } = await openToRead(context, options, output);
  const settings = await readSettings(context, root);
  const { state, ...checkpoint } = await trail.load(options.id);
  const { key } = await cairn.store.identity();
  const resumeCommand = `checkpoint status --trail ${checkpoint.trail}`;
  const { maxTokens, maxChars, keys } = options;
  const size = maxTokens ?? maxChars;
  const choices = {
    // A budget in numbers leaves no room for one by name, unless that was typed too.
    level: options.level ?? (size === undefined ? settings.level : undefined),
    family: options.family ?? settings.family,
    for: options.for,
    maxTokens,
    maxChars,
    keys,
    format: options.plain ? ("plain" as const) : ("markdown" as const),
  };
  const { text, tokens, kept, dropped } = handoff({ checkpoint, state, key, resumeCommand }, choices);
  const budget = budgetOf(choices);
  output.result(
    {
      checkpoint_id: checkpoint.checkpoint_id,
      trail: checkpoint.trail,
      text,
      tokens,
      budget: {
        max_tokens: budget.maxTokens ?? null,
        max_chars: budget.maxChars ?? null,
        family: budget.family,
      },
      kept,
      dropped,
      resume_command: resumeCommand,
    },
    text.trimEnd(),
  );
}
