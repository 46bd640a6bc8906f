import type { Cairn } from "../../../work/state/cairn.ts";
import { emptyWorkState, type WorkState } from "../../../work/state/work-state.ts";
import type { Json } from "../../../core/objects/json.ts";
import type { Redactor } from "../../../core/redaction/redactor.ts";
import { type ArchiveReport, Archiver } from "./archive.ts";
import type { RawLine } from "../../../core/text/cut-lines.ts";
import { noteGoal } from "../../../work/sessions/activity/instructions.ts";
import { reduceActivity } from "../../../work/sessions/activity/reduce-activity.ts";
import { readCall } from "../../../work/sessions/events/read-calls.ts";
import { tasksOfCalls } from "../../../work/sessions/events/read-tasks.ts";
import type { TranscriptEntry } from "../../../work/sessions/events/transcript-entry.ts";
import { reduceCalls } from "../../../work/sessions/reduce/reduce-calls.ts";
import { reduceTasks } from "../../../work/sessions/reduce/reduce-tasks.ts";
import { TRANSCRIPTS } from "../../../work/sessions/transcripts/transcripts.ts";
import { closeGaps } from "../../../core/text/shorten.ts";
import { saveSession } from "./save-session.ts";
import { TranscriptWork } from "../../../work/sessions/transcripts/transcript-work.ts";
import {
  type LineReader,
  readTranscript,
  type RecordedSession,
  type TranscriptFile,
} from "../../../work/sessions/transcripts/transcript.ts";

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
  /** What the session's own transcript tells of the work; not yet searched for secrets, but for its activity. */
  readonly state: WorkState;
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
    return { session, ...main, archived, trail: null, checkpoint_id: null };
  }
  const saved = await saveSession(session, main, { ...options, cairn: options.cairn });
  return { session, ...main, archived, ...saved };
}

/** So many lines are reduced at once: a transcript may be larger than memory. */
const LINES_AT_ONCE = 500;

async function readFile(
  file: TranscriptFile,
  { cairn, redactor, root, partBytes }: SessionImportOptions,
): Promise<{ work: TranscriptWork; state: WorkState; archived: ArchiveReport | undefined }> {
  const state = emptyWorkState();
  const work = new TranscriptWork(file, {
    root,
    onCall: (call, at) => {
      reduceCalls(state, at, [readCall(call, root) ?? []].flat());
      reduceTasks(state, at, tasksOfCalls([call]));
    },
  });
  state.session = work.session;
  const reader = TRANSCRIPTS[file.client]!.reader(work);
  const archiver =
    cairn && (await Archiver.open(file, { cairn, redactor, ...(partBytes ? { partBytes } : {}) }));
  const reduceLines = () => {
    const { value } = redactor.redact(work.takeEntries() as unknown as Json[]);
    reduceActivity(state, { isClients: true, entries: closeGaps(value) as unknown as TranscriptEntry[] });
  };
  for await (const line of readTranscript(file.path)) {
    const value = understand(line, reader, work);
    await archiver?.add(line, value);
    if (line.number % LINES_AT_ONCE === 0) reduceLines();
  }
  reader.end?.();
  reduceLines();
  if (work.goal !== undefined) noteGoal(state, work.goal);
  return { work, state, archived: await archiver?.finish() };
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
