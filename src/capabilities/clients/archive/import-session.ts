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
import { CLIENTS } from "../../../work/clients/clients.ts";
import { TranscriptWork } from "../../../work/sessions/transcripts/transcript-work.ts";
import type { LineReader } from "../../../work/sessions/transcripts/transcript.ts";
import { readTranscript, type RecordedSession, type TranscriptFile } from "./transcript-file.ts";

export interface SessionImportOptions {
  /** Undefined to read only. */
  readonly cairn: Cairn | undefined;
  readonly redactor: Redactor;
  /** The project's root, for the names of files. */
  readonly root: string;
  readonly partBytes?: number;
}

/** A line that could not be understood. It is archived anyway. */
interface LineProblem {
  /** Counted from 1, as editors do. */
  readonly line: number;
  readonly reason: string;
}

/** What a file tells. */
interface ReadTranscript {
  readonly work: TranscriptWork;
  /** What it tells of the work; not yet searched for secrets, but for its activity. */
  readonly state: WorkState;
  /** The first lines that were not understood, and how many more there are. */
  readonly problems: readonly LineProblem[];
  readonly moreProblems: number;
}

/** What was read of a session, by its own transcript, and what of it was new. */
export interface ImportedSession extends ReadTranscript {
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
  const archived: ArchiveReport[] = [];
  const main = await readFile(session.main, options, archived);
  for (const file of session.agents) await readFile(file, options, archived);
  const { cairn, redactor } = options;
  const saved = cairn && (await saveSession(session, main, { cairn, redactor }));
  return { ...main, archived, ...(saved ?? { trail: null, checkpoint_id: null }) };
}

/** Lines are reduced in batches: a transcript may be larger than memory. */
const LINES_AT_ONCE = 500;

const MOST_PROBLEMS = 20;

async function readFile(
  file: TranscriptFile,
  { cairn, redactor, root, partBytes }: SessionImportOptions,
  archived: ArchiveReport[],
): Promise<ReadTranscript> {
  const state = emptyWorkState();
  const work = new TranscriptWork(root, (call, at) => {
    reduceCalls(state, at, [readCall(call, root) ?? []].flat());
    reduceTasks(state, at, tasksOfCalls([call]));
  });
  state.session = work.session;
  work.session.id = file.session_id;
  work.session.client = CLIENTS[file.client].id;
  work.session.transcript_path = file.path;
  const reader = TRANSCRIPTS[file.client]!.reader(work);
  const archiver =
    cairn && (await Archiver.open(file, { cairn, redactor, ...(partBytes ? { partBytes } : {}) }));
  const reduceLines = () => {
    const { value } = redactor.redact(work.takeEntries() as unknown as Json[]);
    reduceActivity(state, { isClients: true, entries: closeGaps(value) as unknown as TranscriptEntry[] });
  };
  const problems: LineProblem[] = [];
  let moreProblems = 0;
  for await (const line of readTranscript(file.path)) {
    const { value, problem } = understand(line, reader, work);
    if (problem !== undefined && problems.length === MOST_PROBLEMS) moreProblems++;
    else if (problem !== undefined) problems.push({ line: line.number, reason: problem });
    await archiver?.add(line, value);
    if (line.number % LINES_AT_ONCE === 0) reduceLines();
  }
  reduceLines();
  if (work.goal !== undefined) noteGoal(state, work.goal);
  if (archiver !== undefined) archived.push(await archiver.finish());
  return { work, state, problems, moreProblems };
}

/** What a line means; whatever it is, the lines after it are read. */
function understand(
  line: RawLine,
  reader: LineReader,
  work: TranscriptWork,
): { readonly value?: unknown; readonly problem?: string } {
  if (line.tooLongBytes !== undefined) return { problem: `it is too long (${line.tooLongBytes} bytes)` };
  if (line.bytes.length === 0) return {};
  try {
    const value: unknown = JSON.parse(line.bytes.toString("utf8"));
    reader(value, work.line(value));
    return { value };
  } catch {
    return {
      problem: line.isComplete
        ? "it is not JSON"
        : "it is incomplete: its writer was killed, or is still writing",
    };
  }
}
