import type { ClientName } from "../../clients/clients.ts";
import { CLAUDE } from "./claude.ts";
import { CODEX } from "./codex.ts";
import { COPILOT } from "./copilot.ts";
import { GEMINI } from "./gemini.ts";
import { OPENCODE } from "./opencode.ts";
import type { TranscriptFormat } from "./transcript.ts";

/** The clients whose transcripts can be read. */
export const TRANSCRIPTS: Readonly<Partial<Record<ClientName, TranscriptFormat>>> = {
  claude: CLAUDE,
  codex: CODEX,
  copilot: COPILOT,
  gemini: GEMINI,
  opencode: OPENCODE,
};
