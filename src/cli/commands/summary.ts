import { asBelieved } from "../../checkpoints/import-record.ts";
import { CheckpointError, isCheckpointError } from "../../errors.ts";
import { handoff } from "../../handoff/handoff.ts";
import { budgetOf } from "../../handoff/options.ts";
import { commandToResume } from "../../sessions/clients/command-to-resume.ts";
import { markInterrupted, readerOf } from "../../sessions/clients/interrupted.ts";
import { quoted } from "../agent-sessions/resume-command.ts";
import { readSettings } from "../../project/settings/settings.ts";
import type { Context } from "../context.ts";
import { openToRead } from "../open.ts";
import type { Output } from "../output.ts";
import type { OptionsOf } from "../spec.ts";
import type { SAVING } from "../table/saving.ts";

type SummaryOptions = OptionsOf<typeof SAVING.summary>;

/** Print a briefing for the next agent, within a token budget */
export async function summary(context: Context, options: SummaryOptions, output: Output): Promise<void> {
  const { cairn, trail, root, folder } = await openToRead(context, options, output);
  const settings = await readSettings(context, root);
  const loaded = await trail.load(options.id);
  const { state: stored, ...checkpoint } = loaded;
  const believed = await asBelieved(cairn.store, checkpoint.content_hash, stored);
  const asking = { reader: readerOf(trail.name, context), folder, now: context.now() };
  // What was in progress at an earlier checkpoint was so then.
  const state =
    options.id === undefined ? await markInterrupted({ ...checkpoint, state: believed }, asking) : believed;
  const { key } = await cairn.store.identity();
  const resumeCommand = commandToResume(loaded, root);
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
  const budget = budgetOf(choices);
  const { text, tokens, kept, dropped } = repeating(options, () =>
    handoff({ checkpoint, state, key, resumeCommand }, choices),
  );
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

/** The size that a refusal suggests was found with everything that was typed: without it, it might be too small again. */
function repeating<Result>(options: SummaryOptions, make: () => Result): Result {
  try {
    return make();
  } catch (error) {
    if (!isCheckpointError(error, "budget")) throw error;
    const { code, message, details } = error;
    throw new CheckpointError(code, message, { hint: `${error.hint}${typed(options)}`, details });
  }
}

/** What decides about the text beside its size, as it was typed. */
function typed({ id, for: task, keys, trail, plain }: SummaryOptions): string {
  const words = [
    ...(id === undefined ? [] : [id]),
    ...(task === undefined ? [] : ["--for", task]),
    ...(keys === undefined || keys.length === 0 ? [] : ["--keys", keys.join(",")]),
    ...(plain ? ["--plain"] : []),
    ...(trail === undefined ? [] : ["--trail", trail]),
  ];
  return words.map((word) => ` ${quoted(word)}`).join("");
}
