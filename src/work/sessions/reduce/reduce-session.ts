import type { Json } from "../../../core/objects/json.ts";
import { CLIENTS } from "../../clients/clients.ts";
import type { AgentSession, WorkState } from "../../state/work-state.ts";
import type { EventKind } from "../events/hook-event.ts";
import type { TrailEvent } from "./reduce.ts";
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
export function reduceSession(state: WorkState, event: TrailEvent): void {
  const { hook, content } = event;
  const { about = {}, activity } = content;
  const { moment } = hook;
  const session = state.session ?? begin(event);
  state.session = session;
  session.id = hook.sessionId;
  session.client = CLIENTS[hook.client].id;
  set(session, "model", about.model ?? activity?.model);
  // Not the sub-agent's own, which comes with its stop.
  set(session, "transcript_path", about.transcript);
  // An agent may change its folder, but its client finds the session only from where it was started.
  if (moment === "start" || session.cwd === undefined) set(session, "cwd", about.folder);
  set(session, "status", statusAfter(event, session));
  set(session, "forked_from", event.forkedFrom);
  set(session, "handed_over", event.handedOver);
  set(session, "project_told", event.projectTold);
  if (moment === "prompt") delete session.error;
  if (moment === "failure") set(session, "error", content.error);
  if (moment === "failure" || moment === "stop") set(session, "last_message", content.message);
  reduceCompaction(session, event);
  set(session, "background", content.background as Json[] | undefined);
}

function begin({ hook, content, at, parentTrail }: TrailEvent): AgentSession {
  const session: AgentSession = { id: "", client: "", status: "running", started_at: at };
  if (parentTrail === undefined) return session;
  const agent = { id: hook.agentId ?? "?", type: content.about?.agentType ?? null };
  return { ...session, parent_trail: parentTrail, agent };
}

/** A sub-agent that stops does not stop the session. */
function statusAfter({ hook, parentTrail }: TrailEvent, session: AgentSession) {
  const status = STATUS_AFTER[hook.moment];
  if (hook.agentId !== undefined && parentTrail === undefined) return undefined;
  // A client that exits does not undo a failure.
  return status === "ended" && session.status === "failed" ? undefined : status;
}

function reduceCompaction(session: AgentSession, { hook, content }: TrailEvent): void {
  const before = session.compactions ?? 0;
  const isAnnounced = hook.moment === "before-compaction" && !CLIENTS[hook.client].announcesTooMuch;
  const after = isAnnounced ? before + 1 : Math.max(before, content.compactions ?? 0);
  if (after > before) {
    session.compactions = after;
    // What the conversation was given is gone with it.
    delete session.record_given;
  }
}
