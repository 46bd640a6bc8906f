import type { ClientName } from "../context.ts";
import { findClaudeTranscript } from "./find-claude.ts";
import { findCodexTranscript } from "./find-codex.ts";
import { CLAUDE_LINES, ClaudeReader } from "./read-claude.ts";
import { CodexReader } from "./read-codex.ts";
import type { LineReader, SessionPlace, TranscriptWork } from "./transcript-work.ts";

/** How a client records its sessions. */
interface TranscriptFormat {
  /** The lines that tell of the work; the others are not even parsed. */
  readonly lines?: RegExp;
  readonly reader: (work: TranscriptWork) => LineReader;
  /** The file that the client itself keeps for a session, from its id and its configuration folder alone. */
  readonly find: (place: SessionPlace) => string | undefined;
}

export const TRANSCRIPTS: Readonly<Partial<Record<ClientName, TranscriptFormat>>> = {
  claude: { lines: CLAUDE_LINES, reader: (work) => new ClaudeReader(work), find: findClaudeTranscript },
  codex: { reader: (work) => new CodexReader(work), find: findCodexTranscript },
};
