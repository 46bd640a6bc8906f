import type { Json } from "../../objects/json.ts";
import type { AgentSession, WorkState } from "../../checkpoints/work-state.ts";
import { asRecord, own } from "../../text/untrusted.ts";
import type { ClientName } from "../context.ts";
import type { About, Said } from "../events/facts.ts";
import type { Moment } from "../events/hook-event.ts";
import type { Known } from "./reduce.ts";
import { set } from "./set.ts";

/** The clients under the names that they have everywhere else. */
export const CLIENT_NAMES: Readonly<Record<ClientName, string>> = {
  claude: "claude-code",
  codex: "codex",
  gemini: "gemini-cli",
  opencode: "opencode",
};

/** What the session does after a moment. Others leave it as it is: a session that is only opened again does nothing. */
const STATUS_AFTER: Partial<Record<Moment, AgentSession["status"]>> = {
  prompt: "running",
  tools: "running",
  stop: "idle",
  failure: "failed",
  end: "ended",
};

/** Who works here, with which model, and how far it got. */
export function reduceSession(state: WorkState, known: Known, said: Said): void {
  const { event } = known;
  const { about = {} } = said;
  const isNew = asRecord(state.session) === undefined;
  const session = isNew ? begin(known, about) : (state.session as AgentSession);
  state.session = session;
  session.id = event.sessionId;
  session.client = CLIENT_NAMES[event.client];
  set(session, "model", about.model);
  // Not the sub-agent's own, which is told when it stops.
  set(session, "transcript_path", about.transcript);
  set(session, "cwd", folderOf(event.moment, session, about));
  set(session, "context_tokens", tokensOf(event.fields));
  set(session, "status", statusAfter(known, session));
  set(session, "forked_from", known.forkedFrom);
  set(session, "handed_over", known.handedOver);
  reduceEnd(session, known, said);
  reduceCompaction(session, known, said);
  set(session, "background", said.background as Json[] | undefined);
}

function begin({ event, at, parentTrail }: Known, { agentType }: About): AgentSession {
  return {
    id: event.sessionId,
    client: CLIENT_NAMES[event.client],
    status: "running",
    started_at: at,
    ...(parentTrail === undefined
      ? {}
      : { parent_trail: parentTrail, agent: { id: event.agentId ?? "?", type: agentType ?? null } }),
  };
}

/** An agent may change its folder on the way; its client finds the session only from where it was started. */
function folderOf(moment: Moment, session: AgentSession, { folder }: About): string | undefined {
  return moment === "start" || session.cwd === undefined ? folder : undefined;
}

function tokensOf(fields: unknown): number | undefined {
  const tokens = own(fields, "context_tokens");
  return typeof tokens === "number" && Number.isSafeInteger(tokens) && tokens >= 0 ? tokens : undefined;
}

/** A sub-agent that stops does not stop the session. */
function statusAfter(
  { event, parentTrail }: Known,
  session: AgentSession,
): AgentSession["status"] | undefined {
  const status = STATUS_AFTER[event.moment];
  if (event.agentId !== undefined && parentTrail === undefined) return undefined;
  // A failure is not made good by the client's leaving.
  return status === "ended" && session.status === "failed" ? undefined : status;
}

function reduceEnd(session: AgentSession, { event: { moment } }: Known, said: Said): void {
  if (moment === "failure") set(session, "error", said.error);
  if (moment === "prompt") delete session.error;
  if (moment === "failure" || moment === "stop") set(session, "last_message", said.message);
}

function reduceCompaction(session: AgentSession, { event }: Known, said: Said): void {
  if (event.moment === "before-compaction") {
    session.compactions = (session.compactions ?? 0) + 1;
    // A client that starts no new session afterwards gets the handoff with the next prompt.
    if (event.client === "gemini") session["is_compacted"] = true;
  }
  if (event.moment === "prompt") delete session["is_compacted"];
  if (event.moment === "after-compaction") set(session, "compact_summary", said.summary);
}
