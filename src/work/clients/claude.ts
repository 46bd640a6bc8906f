import { join } from "node:path";
import { personalFolder } from "../machine/folders.ts";
import type { Environment } from "../machine/environment.ts";
import { textOf } from "../../core/text/untrusted.ts";
import type { AgentClient } from "./client.ts";

const settings = (env: Environment) => personalFolder(env, "CLAUDE_CONFIG_DIR", ".claude");
const ID = String.raw`[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}`;

/** Claude Code, whose names of events and fields are the usual ones. */
export const CLAUDE: AgentClient = {
  id: "claude-code",
  product: "Claude Code",
  sessionVariables: ["CLAUDE_CODE_SESSION_ID"],
  shellVariables: ["CLAUDECODE"],
  homeVariables: ["CLAUDE_CONFIG_DIR"],
  programs: ["claude"],
  pidVariable: "CLAUDE_PID",
  folderVariable: "CLAUDE_PROJECT_DIR",
  hasOneSession: true,
  resume: (id) => `claude --resume ${id}`,
  settings,
  // After `/compact`, what a hook says stays in the conversation, and the record follows anyway.
  toldBeforeCompaction: ({ fields }) => (textOf(fields, "trigger") === "manual" ? "checkpoint" : "record"),
  // It compacts with an agent that has no type.
  hasOwnAgents: true,
  asksAtGate: true,
  keepsContext: true,
  forkedFrom: (head, sessionId) => {
    const named = new RegExp(`"forkedFrom":\\{"sessionId":"(${ID})"`).exec(head)?.[1];
    // Copied lines may still name the session that wrote them.
    const others = [...head.matchAll(new RegExp(`"sessionId":"(${ID})"`, "g"))].map(([, id]) => id);
    return named ?? others.find((id) => id !== sessionId);
  },
  taskFolder: (env, sessionId) => {
    const folder = settings(env);
    return folder && join(folder, "tasks", sessionId);
  },
  alwaysHasTranscript: true,
  isImportable: true,
  page: {
    gets: "capture by hooks, handoffs, MCP tools, skill, slash commands",
    setUpBy: "`checkpoint init`, or its plugin",
    tested: "[2.1.327](#seen-with-the-real-clients); `npm run test:claude`",
    hears: ["yes, in the answer to `UserPromptSubmit`", ""],
    seen: {
      version: "2.1.327",
      rows: {
        killed: "yes",
        continued: "yes, by Codex",
        running: "named",
        confirmed: "its transcript",
        resumed: "its own record",
        resumedOften: "one record, then a line that it is current",
        compacted: "by `/compact`: the record follows",
        ruled: "with the next prompt, once",
        ruledBefore: "yes",
        checked: "settled",
        settings: "as they were",
      },
    },
  },
};
