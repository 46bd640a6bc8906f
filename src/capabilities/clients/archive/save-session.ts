import type { Cairn } from "../../../work/state/cairn.ts";
import type { Redactor } from "../../../core/redaction/redactor.ts";
import type { WorkState } from "../../../work/state/work-state.ts";
import type { Json, JsonObject } from "../../../core/objects/json.ts";
import { sessionTrail } from "../../../work/sessions/session.ts";
import { closeGaps } from "../../../core/text/shorten.ts";
import { textOf } from "../../../core/text/untrusted.ts";
import { transcriptTrail } from "./archive.ts";
import type { TranscriptWork } from "../../../work/sessions/transcripts/transcript-work.ts";
import type { RecordedSession, TranscriptFile } from "./transcript-file.ts";

interface SaveOptions {
  readonly cairn: Cairn;
  readonly redactor: Redactor;
}

const TRIGGER = "import";

/**
 * Saves what a transcript tells in the session's trail. A trail that only imports wrote says afterwards what the
 * transcript says now. One that hooks or people wrote to knows better: only what it lacks is added.
 */
export async function saveSession(
  session: RecordedSession,
  { work, state: told }: { readonly work: TranscriptWork; readonly state: WorkState },
  { cairn, redactor }: SaveOptions,
): Promise<{ trail: string; checkpoint_id: string | null }> {
  const { client, session_id } = session.main;
  const name = sessionTrail(session_id);
  const trail = cairn.trail(name);
  const { value } = redactor.redact(stateOf(session, work, told) as never) as { value: Partial<WorkState> };
  const state = closeGaps(value);
  const change = (await isImported(cairn, name)) ? replaceWork : addMissing;
  const { checkpoint_id, unchanged } = await trail.commit((draft) => change(draft, state), {
    trigger: TRIGGER,
    session_id,
    notes: `Imported from ${client}: ${work.lines} lines`,
    ifChanged: true,
  });
  return { trail: name, checkpoint_id: unchanged ? null : checkpoint_id };
}

/** Whether only imports wrote to a trail. */
async function isImported(cairn: Cairn, name: string): Promise<boolean> {
  const history = await cairn.trail(name).history({ limit: 1000 });
  return history.every(({ trigger }) => trigger === TRIGGER);
}

/** The transcript's state, with what the files alone tell. */
function stateOf(
  { main, agents }: RecordedSession,
  { session, subagents }: TranscriptWork,
  state: WorkState,
): Partial<WorkState> {
  const { goal = textOf(session, "title"), instructions = [], tasks, files_touched, commands } = state;
  const { checks_failing, recent_outputs, activity } = state;
  const active = tasks.find(({ status }) => status === "in_progress")?.id;
  session["last_seen_at"] ??= main.modifiedAt.toISOString();
  session.started_at ||= session["last_seen_at"] as string;
  session.transcript_trail = transcriptTrail(main);
  return {
    ...(goal === undefined ? {} : { goal }),
    ...(active === undefined ? {} : { active_task_id: active }),
    instructions,
    tasks,
    files_touched,
    commands,
    checks_failing,
    recent_outputs,
    ...(activity === undefined ? {} : { activity }),
    subagents: withFiles(subagents, agents),
    session,
  };
}

function withFiles(subagents: readonly Json[], files: readonly TranscriptFile[]): Json[] {
  const where = (file: TranscriptFile) => ({
    transcript_path: file.path,
    transcript_trail: transcriptTrail(file),
  });
  const called = subagents.map((agent) => {
    const file = files.find(({ agent_id }) => agent_id === textOf(agent, "id"));
    return file === undefined ? agent : { ...(agent as JsonObject), ...where(file) };
  });
  const names = new Set(subagents.map((agent) => textOf(agent, "id")));
  const others = files.filter(({ agent_id }) => !names.has(agent_id ?? undefined));
  return [...called, ...others.map((file) => ({ id: file.agent_id, status: "unknown", ...where(file) }))];
}

function replaceWork(state: WorkState, work: Partial<WorkState>): WorkState {
  return { ...state, ...structuredClone(work) };
}

function addMissing(state: WorkState, work: Partial<WorkState>): WorkState {
  const result: WorkState = { ...state };
  for (const [field, value] of Object.entries(structuredClone(work))) {
    // An empty list of failing checks may be right: hooks know better than the transcript.
    if (isEmpty(result[field]) && field !== "checks_failing") result[field] = value;
  }
  // Only what the transcript alone knows: where it is archived.
  const transcript_trail = work.session?.transcript_trail;
  if (result.session !== undefined && transcript_trail !== undefined)
    result.session = { ...result.session, transcript_trail };
  return result;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  return Array.isArray(value) ? value.length === 0 : false;
}
