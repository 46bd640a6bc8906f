import { textOf } from "../../../core/text/untrusted.ts";
import type { Fields } from "../../clients/client.ts";
import { type ClientName, CLIENTS } from "../../clients/clients.ts";
import { clientOfEvent } from "../../clients/find-client.ts";
import type { SessionContext } from "../context.ts";

/** The kinds of events, and the clients' names for them. All others are ignored. */
const NAMES = {
  start: "SessionStart",
  prompt: "UserPromptSubmit BeforeAgent",
  tools: "PostToolBatch PostToolUse PostToolUseFailure AfterTool",
  "agent-start": "SubagentStart",
  "agent-stop": "SubagentStop",
  "before-compaction": "PreCompact PreCompress",
  "after-compaction": "PostCompact",
  task: "TaskCreated TaskCompleted",
  stop: "Stop AfterAgent",
  failure: "StopFailure",
  end: "SessionEnd",
} as const;

/** The kind of an event, whatever its client calls it. */
export type EventKind = keyof typeof NAMES;

const MOMENTS: ReadonlyMap<string, EventKind> = new Map(
  (Object.keys(NAMES) as EventKind[]).flatMap((kind) => NAMES[kind].split(" ").map((name) => [name, kind])),
);

/** The kind of an event by its name; undefined for one that nothing is kept of. */
export const momentOf = (name: string): EventKind | undefined => MOMENTS.get(name);

export interface HookEvent {
  readonly client: ClientName;
  /** As its client calls it, but for those whose events are translated. */
  readonly name: string;
  readonly moment: EventKind;
  readonly sessionId: string;
  /** Only for events inside a sub-agent, or about one. */
  readonly agentId?: string | undefined;
  readonly agentType?: string | undefined;
  /** Everything that was sent, with the usual field names; untrusted. */
  readonly fields: Fields;
}

/** No client has longer ids. */
const LONGEST_ID = 200;

/** What was sent, as an event; or a few words on why it is ignored. */
export function recognise(
  sent: Fields,
  context: Pick<SessionContext, "client" | "env">,
): HookEvent | { readonly ignored: string } {
  const client = context.client ?? clientOfEvent(sent, context.env);
  const fields = CLIENTS[client].translate?.(sent) ?? sent;
  const name = textOf(fields, "hook_event_name");
  if (name === undefined) return { ignored: "it names no event" };
  const moment = momentOf(name);
  if (moment === undefined) return { ignored: `nothing is kept of ${loggableName(name)}` };
  const sessionId = textOf(fields, "session_id");
  if (sessionId === undefined) return { ignored: "it names no session" };
  const agentId = textOf(fields, "agent_id");
  if (sessionId.length > LONGEST_ID || (agentId?.length ?? 0) > LONGEST_ID)
    return { ignored: "an id is too long" };
  if (agentId === undefined && moment.startsWith("agent-")) return { ignored: "it names no agent" };
  const agentType = textOf(fields, "agent_type");
  return { client, name, moment, sessionId, agentId, agentType, fields };
}

/** Whether an event is a sub-agent's own. What happens to a sub-agent, its start and stop, belongs to the session. */
export function isInsideAgent({ agentId, moment }: HookEvent): boolean {
  return agentId !== undefined && moment !== "agent-start" && moment !== "agent-stop";
}

/** An event's name for the log. An unlikely one could be anything, so it is not written anywhere. */
export function loggableName(event: string): string {
  return /^[A-Za-z]{1,40}$/.test(event) ? event : "?";
}
