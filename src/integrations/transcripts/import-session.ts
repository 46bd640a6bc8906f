import type { Cairn } from "../../checkpoints/cairn.ts";
import type { Redactor } from "../../redaction/redactor.ts";
import { type ArchiveReport, Archiver } from "./archive.ts";
import type { Digest, LineReader } from "./digest.ts";
import { DigestBuilder } from "./digest-builder.ts";
import { ClaudeReader } from "./digest-claude.ts";
import { CodexReader } from "./digest-codex.ts";
import type { RawLine } from "../../text/cut-lines.ts";
import { readTranscript } from "./read-lines.ts";
import { saveSession } from "./save-session.ts";
import type { RecordedSession, TranscriptFile } from "./transcript.ts";

export interface SessionImportOptions {
  /** Undefined to read only. */
  readonly cairn: Cairn | undefined;
  readonly redactor: Redactor;
  /** The project's root, for the names of files. */
  readonly root: string;
  readonly partChars?: number;
}

/** What was read of a session, and what of it was new. */
export interface ImportedSession {
  readonly session: RecordedSession;
  readonly digest: Digest;
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
    return { session, digest: main.digest, archived, trail: null, checkpoint_id: null };
  }
  const saved = await saveSession(session, main.digest, { ...options, cairn: options.cairn });
  return { session, digest: main.digest, archived, ...saved };
}

async function readFile(
  file: TranscriptFile,
  { cairn, redactor, partChars }: SessionImportOptions,
): Promise<{ digest: Digest; archived: ArchiveReport | undefined }> {
  const digest = new DigestBuilder();
  const reader: LineReader = file.client === "claude" ? new ClaudeReader(digest) : new CodexReader(digest);
  const archiver =
    cairn && (await Archiver.open(file, { cairn, redactor, ...(partChars ? { partChars } : {}) }));
  for await (const line of readTranscript(file.path)) {
    const value = understand(line, reader, digest);
    await archiver?.add(line, value);
  }
  reader.end?.();
  return { digest: digest.finish(), archived: await archiver?.finish() };
}

/** What a line means; whatever it is, the lines after it are read. */
function understand(line: RawLine, reader: LineReader, digest: DigestBuilder): unknown {
  if (line.tooLongBytes !== undefined) {
    digest.problem({ line: line.number, reason: `it is too long (${line.tooLongBytes} bytes)` });
    return undefined;
  }
  if (line.bytes.length === 0) return undefined;
  try {
    const value: unknown = JSON.parse(line.bytes.toString("utf8"));
    reader.read(value);
    return value;
  } catch {
    const reason = line.isComplete
      ? "it is not JSON"
      : "it is incomplete: its writer was killed, or is still writing";
    digest.problem({ line: line.number, reason });
    return undefined;
  }
}
