import { CLAUDE } from "./claude.ts";
import type { AgentClient } from "./client.ts";
import { CODEX } from "./codex.ts";
import { COPILOT } from "./copilot.ts";
import { CURSOR } from "./cursor.ts";
import { GEMINI } from "./gemini.ts";
import { OPENCODE } from "./opencode.ts";

/** The supported agent clients. A new one needs a file of its own and a line here; and one in sessions/transcripts, if its transcript can be read. */
export const CLIENTS = {
  claude: CLAUDE,
  codex: CODEX,
  gemini: GEMINI,
  opencode: OPENCODE,
  cursor: CURSOR,
  copilot: COPILOT,
} as const satisfies Readonly<Record<string, AgentClient>>;

export type ClientName = keyof typeof CLIENTS;

export const CLIENT_NAMES = Object.keys(CLIENTS) as readonly ClientName[];

/** The client that a checkpoint recorded. */
export function clientWithId(id: string | undefined): ClientName | undefined {
  return CLIENT_NAMES.find((name) => CLIENTS[name].id === id);
}
