import type { HookAnswer } from "./context.ts";
import type { HookEvent } from "./events/hook-event.ts";

/** What is to be said in answer to an event. */
export interface Saying {
  /** For the model. */
  readonly context?: string | undefined;
  /** For the person. */
  readonly warning?: string | undefined;
}

/** Events whose answer may add to what the model reads, as one client's strict schemas have it; the others follow. */
const WITH_CONTEXT: readonly string[] = ["SessionStart", "SubagentStart", "UserPromptSubmit", "BeforeAgent"];

/**
 * The answer in the form that the client wants. Nothing but what it knows: one client refuses answers with a single
 * unknown key, another takes anything but JSON for a message to the user.
 */
export function answer(event: HookEvent, { context, warning }: Saying): HookAnswer {
  const isSummarizer = event.name === "PreCompact" && /^(claude|opencode)$/.test(event.client);
  if (isSummarizer && context !== undefined) return { stdout: context, warning };
  const fields = {
    // What a session that ends is told nobody reads, and one client knows no answer to it.
    ...(warning !== undefined && event.moment !== "end" ? { systemMessage: `Cairn: ${warning}` } : {}),
    ...(context !== undefined && WITH_CONTEXT.includes(event.name)
      ? { hookSpecificOutput: { hookEventName: event.name, additionalContext: context } }
      : {}),
  };
  const isEmpty = Object.keys(fields).length === 0 && event.client !== "gemini";
  return { stdout: isEmpty ? "" : JSON.stringify(fields), warning };
}
