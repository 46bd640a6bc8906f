import type { ClientName } from "./context.ts";

export interface ClientInfo {
  /** The name that checkpoints record it under. */
  readonly id: string;
  /** The name that people know it by. */
  readonly product: string;
  /** Variables in which it tells the commands it runs which session they belong to. */
  readonly sessionVariables: readonly string[];
  /** Variables that it sets, besides, for the commands that it runs. */
  readonly shellVariables: readonly string[];
  /** What its process is called. */
  readonly programs: readonly string[];
  /** The variable with its own process id. One client may run inside another, and inherit its variables. */
  readonly pidVariable?: string;
  /** The variable with the folder that the session was started in. */
  readonly folderVariable?: string;
  /** Its own command to resume a session, if it has one. */
  readonly resume?: (sessionId: string) => string;
}

export const CLIENT_INFO: Readonly<Record<ClientName, ClientInfo>> = {
  claude: {
    id: "claude-code",
    product: "Claude Code",
    sessionVariables: ["CLAUDE_CODE_SESSION_ID"],
    shellVariables: ["CLAUDECODE"],
    programs: ["claude"],
    pidVariable: "CLAUDE_PID",
    folderVariable: "CLAUDE_PROJECT_DIR",
    resume: (id) => `claude --resume ${id}`,
  },
  codex: {
    id: "codex",
    product: "Codex",
    sessionVariables: ["CODEX_THREAD_ID", "CODEX_SESSION_ID"],
    shellVariables: ["CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED"],
    programs: ["codex"],
    resume: (id) => `codex resume ${id}`,
  },
  gemini: {
    id: "gemini-cli",
    product: "Gemini CLI",
    sessionVariables: ["GEMINI_SESSION_ID"],
    shellVariables: ["GEMINI_CLI"],
    programs: ["gemini"],
    folderVariable: "GEMINI_PROJECT_DIR",
    resume: (id) => `gemini --resume ${id}`,
  },
  opencode: {
    id: "opencode",
    product: "OpenCode",
    sessionVariables: ["OPENCODE_SESSION_ID"],
    shellVariables: ["OPENCODE"],
    programs: ["opencode"],
    pidVariable: "OPENCODE_PID",
    resume: (id) => `opencode --session ${id}`,
  },
  cursor: {
    id: "cursor",
    product: "Cursor",
    sessionVariables: [],
    shellVariables: ["CURSOR_AGENT"],
    programs: ["cursor-agent"],
    folderVariable: "CURSOR_PROJECT_DIR",
  },
  copilot: {
    id: "copilot-cli",
    product: "Copilot CLI",
    sessionVariables: [],
    shellVariables: [],
    programs: ["copilot"],
    resume: (id) => `copilot --resume=${id}`,
  },
};

/** The client that a checkpoint recorded. */
export function clientWithId(id: string | undefined): ClientInfo | undefined {
  return Object.values(CLIENT_INFO).find((client) => client.id === id);
}
