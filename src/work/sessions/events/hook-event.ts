import { own, textOf } from "../../../core/text/untrusted.ts";
import type { ClientName, SessionContext } from "../context.ts";
import { translated } from "./dialects.ts";

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

export interface HookEvent {
  readonly client: ClientName;
  /** As Claude Code, Codex or Gemini CLI call it. */
  readonly name: string;
  readonly moment: EventKind;
  readonly sessionId: string;
  /** Only for events inside a sub-agent, or about one. */
  readonly agentId?: string | undefined;
  readonly agentType?: string | undefined;
  /** Everything that was sent, with the usual field names; untrusted. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** No client has longer ids. */
const LONGEST_ID = 200;

/** What was sent, as an event; or a few words on why it is ignored. */
export function recognise(
  sent: Readonly<Record<string, unknown>>,
  context: Pick<SessionContext, "client" | "env">,
): HookEvent | { readonly ignored: string } {
  const client = context.client ?? clientOf(sent, context);
  const fields = translated(client, sent);
  const name = textOf(fields, "hook_event_name");
  if (name === undefined) return { ignored: "it names no event" };
  const moment = MOMENTS.get(name);
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

/** An event's name for the log. An unlikely one could be anything, so it is not written anywhere. */
export function loggableName(event: string): string {
  return /^[A-Za-z]{1,40}$/.test(event) ? event : "?";
}

/** Recognises the client: by what only one of them sends, or by the environment of its hooks. */
export function clientOf(
  fields: Readonly<Record<string, unknown>>,
  { env }: Pick<SessionContext, "env">,
): ClientName {
  const name = textOf(fields, "hook_event_name") ?? "";
  const sessionId = textOf(fields, "session_id") ?? "";
  if (own(fields, "cursor_version") !== undefined) return "cursor";
  if (/^(BeforeAgent|AfterAgent|AfterTool|PreCompress)$/.test(name)) return "gemini";
  if (env["CLAUDE_CODE_SESSION_ID"] === sessionId) return "claude";
  if (env["GEMINI_SESSION_ID"] === sessionId) return "gemini";
  if (own(fields, "turn_id") !== undefined || own(fields, "transcript_path") === null) return "codex";
  const transcript = textOf(fields, "transcript_path") ?? "";
  if (/[\\/]rollout-[^\\/]*\.jsonl(\.zst)?$/.test(transcript)) return "codex";
  if (/[\\/]\.gemini[\\/]/.test(transcript)) return "gemini";
  return "claude";
}
