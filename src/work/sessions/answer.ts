import { CLIENTS } from "../clients/clients.ts";
import type { HookAnswer } from "./context.ts";
import type { HookEvent } from "./events/hook-event.ts";

/** Events whose answer may add to what the model reads, according to the strictest client's schemas. */
const WITH_CONTEXT: readonly string[] = ["SessionStart", "SubagentStart", "UserPromptSubmit", "BeforeAgent"];

/** Whether a client shows the model what the answer to this event says. */
export function takesContext(event: HookEvent): boolean {
  return CLIENTS[event.client].takesContext?.(event) ?? WITH_CONTEXT.includes(event.name);
}

/**
 * The answer in the client's form, context for the model and a warning for the user, and nothing else: one client refuses
 * an answer with a single unknown key, another shows anything but JSON to the user.
 */
export function answer(
  event: HookEvent,
  { context, warning }: { context?: string | undefined; warning?: string | undefined },
): HookAnswer {
  const { answer: ownAnswer, toldBeforeCompaction, emptyAnswer = "" } = CLIENTS[event.client];
  if (ownAnswer !== undefined) return { stdout: ownAnswer(event, context), warning };
  const isForSummarizer = event.name === "PreCompact" && toldBeforeCompaction !== undefined;
  if (isForSummarizer && context !== undefined) return { stdout: context, warning };
  const fields = {
    // Nobody reads the answer to a session's end, and one client does not accept any.
    ...(warning !== undefined && event.moment !== "end" ? { systemMessage: `Cairn: ${warning}` } : {}),
    ...(context !== undefined && takesContext(event)
      ? { hookSpecificOutput: { hookEventName: event.name, additionalContext: context } }
      : {}),
  };
  return { stdout: Object.keys(fields).length === 0 ? emptyAnswer : JSON.stringify(fields), warning };
}
