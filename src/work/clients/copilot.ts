import { personalFolder } from "../machine/folders.ts";
import { own, textOf } from "../../core/text/untrusted.ts";
import type { AgentClient, ClientEvent, Fields } from "./client.ts";

const takesContext = ({ moment }: ClientEvent) => moment === "start" || moment === "prompt";

/** Copilot CLI. It has no field for the user's warning. */
export const COPILOT: AgentClient = {
  id: "copilot-cli",
  product: "Copilot CLI",
  homeVariables: ["COPILOT_HOME"],
  programs: ["copilot"],
  resume: (id) => `copilot --resume=${id}`,
  settings: (env) => personalFolder(env, "COPILOT_HOME", ".copilot"),
  // Not in the project's `.github/hooks`: those are committed, and run in the cloud too, where our command is not.
  settingsFiles: [
    { file: "hooks/cairn.json", hooks: "copilot/hooks.json" },
    { file: "mcp-config.json", server: { type: "local", tools: ["*"] } },
  ],
  translate,
  mayPromptFirst: true,
  takesContext,
  answer: (event, context) =>
    takesContext(event) && context !== undefined ? JSON.stringify({ additionalContext: context }) : "",
  page: {
    gets: "capture by hooks, handoffs, MCP tools",
    setUpBy: "`checkpoint init`",
    tested:
      "[1.0.102](#seen-with-the-real-clients), offline with a provider of one's own; `npm run test:e2e`",
    hears: ["yes, in the answer to `UserPromptSubmit`", ""],
    seen: {
      version: "1.0.102",
      rows: {
        killed: "yes",
        continued: "yes, by Claude Code",
        running: "named",
        confirmed: "its `events.jsonl`, which it writes a moment later: the last prompt by the next event",
        resumed: "its own record",
        resumedOften: "the same as Gemini CLI",
        compacted: "by itself: the record comes when it is resumed; until then by the MCP tool `handoff`",
        ruled: "not run; that text with a prompt reaches the model was seen",
        ruledBefore: "yes",
        checked: "not run",
        settings: "byte for byte",
      },
    },
  },
};

/** Event names and most fields are the usual ones. Only the output shows whether a command succeeded. */
function translate(sent: Fields): Fields {
  const name = textOf(sent, "hook_event_name");
  if (name === "ErrorOccurred" && own(sent, "recoverable") === false)
    return { ...sent, hook_event_name: "StopFailure", error: textOf(own(sent, "error"), "message") };
  const result = textOf(own(sent, "tool_result"), "text_result_for_llm");
  return result === undefined ? sent : { ...sent, tool_response: result };
}
