import type { Budget } from "./tokens/meter.ts";
import type { Handoff } from "./report.ts";
import { visibleJson } from "../text/visible.ts";

/**
 * The briefing for programs: its text, which is what the budget holds for, and every decision behind it. Safe
 * to print: whatever cannot be seen is escaped.
 */
export function reportAsJson(
  { text, tokens, kept, dropped }: Handoff,
  { family, maxTokens, maxChars }: Budget,
  { checkpoint, resumeCommand }: { checkpoint: { checkpoint_id: string }; resumeCommand: string },
): string {
  const report = {
    checkpoint_id: checkpoint.checkpoint_id,
    text,
    tokens,
    budget: { max_tokens: maxTokens ?? null, max_chars: maxChars ?? null, family },
    kept,
    dropped,
    resume_command: resumeCommand,
  };
  return visibleJson(JSON.stringify(report, null, 2));
}
