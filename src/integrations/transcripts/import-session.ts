import type { Cairn } from "../../checkpoints/cairn.ts";
import type { Redactor } from "../../redaction/redactor.ts";
import { type ArchiveReport, Archiver } from "./archive.ts";
import type { RawLine } from "../../text/cut-lines.ts";
import { ClaudeReader } from "./read-claude.ts";
import { CodexReader } from "./read-codex.ts";
import { readTranscript } from "./read-lines.ts";
import { saveSession } from "./save-session.ts";
import { type LineReader, TranscriptWork } from "./transcript-work.ts";
import type { RecordedSession, TranscriptFile } from "./transcript.ts";

export interface SessionImportOptions {
  /** Undefined to read only. */
  readonly cairn: Cairn | undefined;
  readonly redactor: Redactor;
  /** The project's root, for the names of files. */
  readonly root: string;
  readonly partBytes?: number;
}

/** What was read of a session, and what of it was new. */
export interface ImportedSession {
  readonly session: RecordedSession;
  readonly work: TranscriptWork;
  /** The session's own and those of its sub-agents; empty when nothing was to be written. */
  readonly archived: readonly ArchiveReport[];
  readonly trail: string | null;
  /** Null when the trail said all of this already. */
  readonly checkpoint_id: string | null;
}

/** Reads what a client recorded of a session: archives the transcripts, then saves what they tell as work state. */
export async function importSession(
  session: RecordedSession,
  options: SessionImportOptions,
): Promise<ImportedSession> {
  const main = await readFile(session.main, options);
  const archived = main.archived === undefined ? [] : [main.archived];
  for (const file of session.agents) {
    const agent = await readFile(file, options);
    if (agent.archived !== undefined) archived.push(agent.archived);
  }
  if (options.cairn === undefined) {
    return { session, work: main.work, archived, trail: null, checkpoint_id: null };
  }
  const saved = await saveSession(session, main.work, { ...options, cairn: options.cairn });
  return { session, work: main.work, archived, ...saved };
}

async function readFile(
  file: TranscriptFile,
  { cairn, redactor, root, partBytes }: SessionImportOptions,
): Promise<{ work: TranscriptWork; archived: ArchiveReport | undefined }> {
  const work = new TranscriptWork(file, root);
  const reader: LineReader = file.client === "claude" ? new ClaudeReader(work) : new CodexReader(work);
  const archiver =
    cairn && (await Archiver.open(file, { cairn, redactor, ...(partBytes ? { partBytes } : {}) }));
  for await (const line of readTranscript(file.path)) {
    const value = understand(line, reader, work);
    await archiver?.add(line, value);
  }
  reader.end?.();
  return { work, archived: await archiver?.finish() };
}

/** What a line means; whatever it is, the lines after it are read. */
function understand(line: RawLine, reader: LineReader, work: TranscriptWork): unknown {
  if (line.tooLongBytes !== undefined) {
    work.problem({ line: line.number, reason: `it is too long (${line.tooLongBytes} bytes)` });
    return undefined;
  }
  if (line.bytes.length === 0) return undefined;
  try {
    const value: unknown = JSON.parse(line.bytes.toString("utf8"));
    reader.read(value, work.line(value));
    return value;
  } catch {
    const reason = line.isComplete
      ? "it is not JSON"
      : "it is incomplete: its writer was killed, or is still writing";
    work.problem({ line: line.number, reason });
    return undefined;
  }
}
