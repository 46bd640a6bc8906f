import type { Json } from "../../../core/objects/json.ts";
import type { AgentSession, WorkState } from "../../state/work-state.ts";
import { asRecord } from "../../../core/text/untrusted.ts";
import { CLIENTS } from "../../clients/clients.ts";
import type { EventFacts, SessionFacts } from "../events/facts.ts";
import type { EventKind, HookEvent } from "../events/hook-event.ts";
import type { ReduceContext } from "./reduce.ts";
import { set } from "./set.ts";

/** What the session does after an event. Other events change nothing: a session that is only reopened does nothing. */
const STATUS_AFTER: Partial<Record<EventKind, AgentSession["status"]>> = {
  prompt: "running",
  tools: "running",
  stop: "idle",
  failure: "failed",
  end: "ended",
};

/** Which agent works here, with which model, and how far it got. */
export function reduceSession(state: WorkState, context: ReduceContext, facts: EventFacts): void {
  const { event } = context;
  const { about = {} } = facts;
  const isNew = asRecord(state.session) === undefined;
  const session = isNew ? begin(context, about) : (state.session as AgentSession);
  state.session = session;
  session.id = event.sessionId;
  session.client = CLIENTS[event.client].id;
  set(session, "model", about.model ?? facts.news?.model);
  // Not the sub-agent's own, which comes with its stop.
  set(session, "transcript_path", about.transcript);
  set(session, "cwd", folderOf(event.moment, session, about));
  set(session, "context_tokens", tokensOf(event.fields) ?? facts.news?.contextTokens);
  set(session, "status", statusAfter(context, session));
  set(session, "forked_from", context.forkedFrom);
  set(session, "handed_over", context.handedOver);
  set(session, "project_told", context.projectTold);
  reduceEnd(session, context, facts);
  reduceCompaction(session, context, facts);
  set(session, "background", facts.background as Json[] | undefined);
}

function begin({ event, at, parentTrail }: ReduceContext, { agentType }: SessionFacts): AgentSession {
  const session: AgentSession = { id: "", client: "", status: "running", started_at: at };
  if (parentTrail === undefined) return session;
  return {
    ...session,
    parent_trail: parentTrail,
    agent: { id: event.agentId ?? "?", type: agentType ?? null },
  };
}

/** An agent may change its folder, but its client finds the session only from where it was started. */
function folderOf(moment: EventKind, session: AgentSession, { folder }: SessionFacts): string | undefined {
  return moment === "start" || session.cwd === undefined ? folder : undefined;
}

function tokensOf({ context_tokens: tokens }: HookEvent["fields"]): number | undefined {
  return Number.isSafeInteger(tokens) && (tokens as number) >= 0 ? (tokens as number) : undefined;
}

/** A sub-agent that stops does not stop the session. */
function statusAfter(
  { event, parentTrail }: ReduceContext,
  session: AgentSession,
): AgentSession["status"] | undefined {
  const status = STATUS_AFTER[event.moment];
  if (event.agentId !== undefined && parentTrail === undefined) return undefined;
  // A client that exits does not undo a failure.
  return status === "ended" && session.status === "failed" ? undefined : status;
}

function reduceEnd(session: AgentSession, { event: { moment } }: ReduceContext, facts: EventFacts): void {
  if (moment === "failure") set(session, "error", facts.error);
  if (moment === "prompt") delete session.error;
  if (moment === "failure" || moment === "stop") set(session, "last_message", facts.message);
}

function reduceCompaction(session: AgentSession, { event }: ReduceContext, facts: EventFacts): void {
  const before = session.compactions ?? 0;
  const isAnnounced = event.moment === "before-compaction" && !CLIENTS[event.client].announcesTooMuch;
  const after = isAnnounced ? before + 1 : Math.max(before, facts.compactions ?? 0);
  if (after > before) {
    session.compactions = after;
    // What the conversation was given is gone with it.
    delete session.record_given;
  }
  if (event.moment === "after-compaction") set(session, "compact_summary", facts.summary);
}
