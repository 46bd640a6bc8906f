import type { HookAnswer } from "./context.ts";
import type { HookEvent } from "./events/hook-event.ts";

/** Events whose answer may add to what the model reads, according to the strictest client's schemas. */
const WITH_CONTEXT: readonly string[] = ["SessionStart", "SubagentStart", "UserPromptSubmit", "BeforeAgent"];

/** Whether a client shows the model what the answer to this event says. */
export function takesContext({ client, name, moment }: HookEvent): boolean {
  if (client === "cursor") return moment === "start";
  if (client === "copilot") return moment === "start" || moment === "prompt";
  return WITH_CONTEXT.includes(name);
}

/**
 * The answer in the client's form, context for the model and a warning for the user, and nothing else: one client refuses
 * an answer with a single unknown key, another shows anything but JSON to the user.
 */
export function answer(
  event: HookEvent,
  { context, warning }: { context?: string | undefined; warning?: string | undefined },
): HookAnswer {
  if (event.client === "cursor" || event.client === "copilot")
    return { stdout: plainAnswer(event, context), warning };
  const isForSummarizer = event.name === "PreCompact" && /^(claude|opencode)$/.test(event.client);
  if (isForSummarizer && context !== undefined) return { stdout: context, warning };
  const fields = {
    // Nobody reads the answer to a session's end, and one client does not accept any.
    ...(warning !== undefined && event.moment !== "end" ? { systemMessage: `Cairn: ${warning}` } : {}),
    ...(context !== undefined && takesContext(event)
      ? { hookSpecificOutput: { hookEventName: event.name, additionalContext: context } }
      : {}),
  };
  const isEmpty = Object.keys(fields).length === 0 && event.client !== "gemini";
  return { stdout: isEmpty ? "" : JSON.stringify(fields), warning };
}

/** Cursor and Copilot CLI have no field for the user's warning. */
function plainAnswer(event: HookEvent, context: string | undefined): string {
  const isCursor = event.client === "cursor";
  if (takesContext(event) && context !== undefined)
    return JSON.stringify({ [isCursor ? "additional_context" : "additionalContext"]: context });
  if (!isCursor) return "";
  return JSON.stringify(event.moment === "prompt" ? { continue: true } : {});
}
