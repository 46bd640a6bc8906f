import type { ClientName } from "../context.ts";
import { findClaudeTranscript } from "./find-claude.ts";
import { findCodexTranscript } from "./find-codex.ts";
import { CLAUDE_LINES, ClaudeReader } from "./read-claude.ts";
import { CodexReader } from "./read-codex.ts";
import { COPILOT_LINES, CopilotReader, findCopilotTranscript } from "./read-copilot.ts";
import { findGeminiTranscript, GEMINI_LINES, GeminiReader } from "./read-gemini.ts";
import { findOpencodeTranscript, opencodeParts, OpencodeReader } from "./read-opencode.ts";
import type { LineReader, SessionPlace, TranscriptWork } from "./transcript-work.ts";

/** How a client records its sessions. */
interface TranscriptFormat {
  /** The lines that tell of the work; the others are not even parsed. */
  readonly lines?: RegExp;
  readonly reader: (work: TranscriptWork) => LineReader;
  /** The file that the client itself keeps for a session, from its id and its configuration folder alone. */
  readonly find: (place: SessionPlace) => string | undefined;
  /** What is new of a session where that is no file of lines. */
  readonly part?: typeof opencodeParts;
}

export const TRANSCRIPTS: Readonly<Partial<Record<ClientName, TranscriptFormat>>> = {
  claude: { lines: CLAUDE_LINES, reader: (work) => new ClaudeReader(work), find: findClaudeTranscript },
  codex: { reader: (work) => new CodexReader(work), find: findCodexTranscript },
  gemini: { lines: GEMINI_LINES, reader: (work) => new GeminiReader(work), find: findGeminiTranscript },
  copilot: { lines: COPILOT_LINES, reader: (work) => new CopilotReader(work), find: findCopilotTranscript },
  opencode: {
    reader: (work) => new OpencodeReader(work),
    find: findOpencodeTranscript,
    part: opencodeParts,
  },
};
