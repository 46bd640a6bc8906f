import { join } from "node:path";
import { homeFolder } from "../machine/folders.ts";
import { asRecord, own, parseJson, textOf } from "../../core/text/untrusted.ts";
import type { AgentClient, ClientEvent, Fields } from "./client.ts";

const MAY_BE_SENT = JSON.stringify({ continue: true });
const takesContext = ({ moment }: ClientEvent) => moment === "start";

/** Cursor, written from its documentation. It has no field for the user's warning. */
export const CURSOR: AgentClient = {
  id: "cursor",
  product: "Cursor",
  shellVariables: ["CURSOR_AGENT"],
  programs: ["cursor-agent"],
  folderVariable: "CURSOR_PROJECT_DIR",
  settings: (env) => {
    const home = homeFolder(env);
    return home && join(home, ".cursor");
  },
  settingsFiles: [
    { file: "hooks.json", hooks: "cursor/hooks.json" },
    { file: "mcp.json", server: {} },
  ],
  sends: (sent) => own(sent, "cursor_version") !== undefined,
  translate,
  takesContext,
  answer: (event, context) => {
    if (takesContext(event) && context !== undefined) return JSON.stringify({ additional_context: context });
    return event.moment === "prompt" ? MAY_BE_SENT : "{}";
  },
  // It asks whether a prompt may be sent.
  emptyAnswer: MAY_BE_SENT,
  keepsContext: true,
  page: {
    gets: "capture by hooks, handoffs at the start of a conversation, MCP tools",
    setUpBy: "`checkpoint init`",
    tested: "no: written from its documentation, below",
    hears: [
      "no: the answer to a prompt has no text for the model",
      "when a conversation starts, and by the MCP tool `handoff`",
    ],
  },
};

const USUAL_NAMES: ReadonlyMap<string | undefined, string> = new Map([
  ["sessionStart", "SessionStart"],
  ["beforeSubmitPrompt", "UserPromptSubmit"],
  ["postToolUse", "PostToolUse"],
  ["postToolUseFailure", "PostToolUseFailure"],
  ["afterFileEdit", "PostToolUse"],
  ["preCompact", "PreCompact"],
  ["stop", "Stop"],
  ["sessionEnd", "SessionEnd"],
]);

/** A session is called a conversation. Hooks run in the client's own folder, so the project is the workspace's. */
function translate(sent: Fields): Fields {
  const name = textOf(sent, "hook_event_name");
  const roots = own(sent, "workspace_roots");
  const fields = {
    ...sent,
    hook_event_name: USUAL_NAMES.get(name) ?? name,
    session_id: textOf(sent, "conversation_id", "session_id"),
    cwd: Array.isArray(roots) && typeof roots[0] === "string" ? roots[0] : textOf(sent, "cwd"),
  };
  if (name === "afterFileEdit") return { ...fields, ...edit(sent) };
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
function edit(sent: Fields): Fields {
  const path = textOf(sent, "file_path");
  return {
    tool_name: "Edit",
    tool_input: { file_path: path },
    tool_response: {},
    tool_use_id: `${textOf(sent, "generation_id") ?? ""} ${path ?? ""}`,
  };
}
