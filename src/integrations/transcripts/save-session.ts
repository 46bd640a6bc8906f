import type { Cairn } from "../../checkpoints/cairn.ts";
import type { Redactor } from "../../redaction/redactor.ts";
import type { WorkState } from "../../checkpoints/work-state.ts";
import type { Json } from "../../objects/json.ts";
import { CLIENT_INFO } from "../../sessions/client-info.ts";
import { withinRoot } from "../../sessions/events/read-calls.ts";
import { sessionTrail } from "../../sessions/session.ts";
import { transcriptTrail } from "./archived-transcript.ts";
import type { Digest } from "./digest.ts";
import type { RecordedSession, TranscriptFile } from "./transcript.ts";

interface SaveOptions {
  readonly cairn: Cairn;
  readonly redactor: Redactor;
  readonly root: string;
}

const TRIGGER = "import";

/**
 * Saves what a transcript tells in the session's trail. A trail that only imports wrote says afterwards what the
 * transcript says now. One that hooks or people wrote to knows better: only what it lacks is added.
 */
export async function saveSession(
  session: RecordedSession,
  digest: Digest,
  { cairn, redactor, root }: SaveOptions,
): Promise<{ trail: string; checkpoint_id: string | null }> {
  const { client, session_id } = session.main;
  const name = sessionTrail({ id: session_id });
  const trail = cairn.trail(name);
  const told = redactor.redact(stateOf(session, digest, root) as never) as { value: Partial<WorkState> };
  const change = (await isImported(cairn, name)) ? replaceTold : addMissing;
  const { checkpoint_id, unchanged } = await trail.commit((draft) => change(draft, told.value), {
    trigger: TRIGGER,
    session_id,
    notes: `Imported from ${client}: ${digest.lines} lines`,
    ifChanged: true,
  });
  return { trail: name, checkpoint_id: unchanged ? null : checkpoint_id };
}

/** Whether only imports wrote to a trail. */
async function isImported(cairn: Cairn, name: string): Promise<boolean> {
  const history = await cairn.trail(name).history({ limit: 1000 });
  return history.every(({ trigger }) => trigger === TRIGGER);
}

function stateOf(session: RecordedSession, digest: Digest, root: string): Partial<WorkState> {
  const { client, session_id, path } = session.main;
  const [first, ...later] = digest.prompts;
  const goal = digest.goal ?? first?.text ?? digest.title;
  const seen = digest.lastSeenAt ?? session.main.modifiedAt.toISOString();
  const active = digest.tasks.find(({ status }) => status === "in_progress")?.id;
  return {
    ...(goal === undefined ? {} : { goal }),
    ...(active === undefined ? {} : { active_task_id: active }),
    tasks: [...digest.tasks],
    files_touched: [...new Set(digest.files.map((file) => withinRoot(file, root)))],
    commands: [...digest.commands],
    subagents: subagentsOf(session, digest),
    instructions: later.map(({ text, at }) => ({ text, ...(at === null ? {} : { at }), by: "person" })),
    session: {
      id: session_id,
      client: CLIENT_INFO[client].id,
      // One that was killed stays at work, as far as anybody knows.
      status: digest.lastTurn === "open" ? "running" : "idle",
      started_at: digest.startedAt ?? seen,
      ...present({
        cwd: digest.cwd,
        model: digest.model,
        client_version: digest.clientVersion,
        branch: digest.branch,
        parent_id: digest.parentId,
        title: digest.title,
        last_seen_at: seen,
        last_action: digest.lastAction,
        last_message: digest.lastMessage,
      }),
      tokens: digest.tokens,
      compactions: digest.compactions,
      transcript_path: path,
      transcript_trail: transcriptTrail(session.main),
    },
  };
}

function subagentsOf({ agents }: RecordedSession, { subagents }: Digest): Json[] {
  const where = (file: TranscriptFile) => ({
    transcript_path: file.path,
    transcript_trail: transcriptTrail(file),
  });
  const called = subagents.map((agent) => {
    const file = agents.find(({ agent_id }) => agent_id !== null && agent_id === agent.agent_id);
    return {
      id: agent.agent_id ?? agent.id,
      type: agent.type,
      task: agent.task,
      last_message: agent.last_message,
      // A sub-agent that has not answered when the transcript ends never will.
      status: agent.status === "unknown" ? "interrupted" : agent.status,
      ...(file === undefined ? {} : where(file)),
    };
  });
  const names = new Set(subagents.map(({ agent_id }) => agent_id));
  const others = agents.filter(({ agent_id }) => !names.has(agent_id));
  return [...called, ...others.map((file) => ({ id: file.agent_id, status: "unknown", ...where(file) }))];
}

function present(fields: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).flatMap(([name, text]) => (text ? [[name, text]] : [])));
}

function replaceTold(state: WorkState, told: Partial<WorkState>): WorkState {
  return { ...state, ...structuredClone(told) };
}

function addMissing(state: WorkState, told: Partial<WorkState>): WorkState {
  const result: WorkState = { ...state };
  for (const [field, value] of Object.entries(structuredClone(told))) {
    const there = result[field];
    if (isEmpty(there)) result[field] = value;
  }
  // Only what the transcript alone knows: where it is archived.
  if (result.session !== undefined && told.session !== undefined)
    result.session = { ...result.session, transcript_trail: told.session["transcript_trail"] };
  return result;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  return Array.isArray(value) ? value.length === 0 : false;
}
