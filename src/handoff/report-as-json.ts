import type { Handoff, HandoffInput } from "./handoff.ts";
import type { Budget } from "./meter.ts";
import { visibleJson } from "./visible.ts";

/**
 * The briefing for programs: its text, which is what the budget holds for, and every decision behind it. Safe
 * to print: whatever cannot be seen is escaped.
 */
export function reportAsJson({ text, tokens, kept, dropped }: Handoff, input: HandoffInput, budget: Budget): string {
  const report = {
    checkpoint_id: input.checkpoint.checkpoint_id,
    text,
    tokens,
    budget: { max_tokens: budget.maxTokens ?? null, max_chars: budget.maxChars ?? null, family: budget.family },
    kept,
    dropped,
    resume_command: input.resumeCommand,
  };
  return visibleJson(JSON.stringify(report, null, 2));
}
