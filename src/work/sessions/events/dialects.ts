import { asRecord, own, parseJson, textOf } from "../../../core/text/untrusted.ts";
import type { ClientName } from "../context.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What was sent, with the field names of Claude Code and Codex: other clients use their own. */
export function translated(client: ClientName, sent: Fields): Fields {
  if (client === "cursor") return ofCursor(sent);
  return client === "copilot" ? ofCopilot(sent) : sent;
}

const NAMES_IN_CURSOR: ReadonlyMap<string | undefined, string> = new Map([
  ["sessionStart", "SessionStart"],
  ["beforeSubmitPrompt", "UserPromptSubmit"],
  ["postToolUse", "PostToolUse"],
  ["postToolUseFailure", "PostToolUseFailure"],
  ["afterFileEdit", "PostToolUse"],
  ["preCompact", "PreCompact"],
  ["stop", "Stop"],
  ["sessionEnd", "SessionEnd"],
]);

/** Cursor calls a session a conversation. Its hooks run in its own folder, so the project is the workspace's. */
function ofCursor(sent: Fields): Fields {
  const name = textOf(sent, "hook_event_name");
  const roots = own(sent, "workspace_roots");
  const fields = {
    ...sent,
    hook_event_name: NAMES_IN_CURSOR.get(name) ?? name,
    session_id: textOf(sent, "conversation_id", "session_id"),
    cwd: Array.isArray(roots) && typeof roots[0] === "string" ? roots[0] : textOf(sent, "cwd"),
  };
  if (name === "afterFileEdit") return { ...fields, ...editInCursor(sent) };
  if (name === "stop" && textOf(sent, "status") === "error")
    return { ...fields, hook_event_name: "StopFailure" };
  if (name === "postToolUseFailure") {
    // A call that was denied did not happen.
    const isDenied = textOf(sent, "failure_type") === "permission_denied";
    const error = textOf(sent, "error_message") ?? "failed";
    return { ...fields, error, ...(isDenied ? { tool_name: undefined } : {}) };
  }
  const output = textOf(sent, "tool_output");
  return output === undefined ? fields : { ...fields, tool_response: asRecord(parseJson(output)) ?? output };
}

/** An edit has no id of its own, so it gets one: a second edit of the same file in a turn says nothing new. */
function editInCursor(sent: Fields): Fields {
  const path = textOf(sent, "file_path");
  return {
    tool_name: "Edit",
    tool_input: { file_path: path },
    tool_response: {},
    tool_use_id: `${textOf(sent, "generation_id") ?? ""} ${path ?? ""}`,
  };
}

/** Event names and most fields are the usual ones. Only the output shows whether a command succeeded. */
function ofCopilot(sent: Fields): Fields {
  const name = textOf(sent, "hook_event_name");
  if (name === "ErrorOccurred" && own(sent, "recoverable") === false)
    return { ...sent, hook_event_name: "StopFailure", error: textOf(own(sent, "error"), "message") };
  const result = textOf(own(sent, "tool_result"), "text_result_for_llm");
  return result === undefined ? sent : { ...sent, tool_response: result };
}
