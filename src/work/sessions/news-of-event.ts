import { createRedactor } from "../../core/redaction/redactor.ts";
import { textOf } from "../../core/text/untrusted.ts";
import { entriesOfCall } from "./activity/step-of-call.ts";
import { cleanNews } from "./alive/last-turn.ts";
import { CLIENTS } from "../clients/clients.ts";
import { type EventProject, isInsideAgent } from "./event-project.ts";
import type { EventFacts } from "./events/facts.ts";
import type { EventKind, HookEvent } from "./events/hook-event.ts";
import { rawCalls } from "./events/read-calls.ts";
import type { TranscriptEntry, TranscriptNews } from "./events/transcript-entry.ts";
import { sessionTrail } from "./session.ts";
import { loadIfAny } from "./trails/unfinished.ts";
import { readNews } from "./transcripts/read-news.ts";
import { TRANSCRIPTS } from "./transcripts/transcripts.ts";

/** When a transcript is read: never on the path of a tool call. */
const READ_AT: readonly EventKind[] = ["start", "prompt", "stop", "failure", "before-compaction", "end"];

/** The facts of an event with what the agent said and did since the last one. */
export async function withNews(
  event: HookEvent,
  facts: EventFacts,
  project: EventProject,
): Promise<EventFacts> {
  if (isInsideAgent(event) || event.agentId !== undefined) return facts;
  const compactions =
    event.moment === "prompt"
      ? TRANSCRIPTS[event.client]?.compactions?.(textOf(event.fields, "transcript_path"))
      : undefined;
  if (compactions !== undefined) facts = { ...facts, compactions };
  const found = READ_AT.includes(event.moment) ? await newsOf(event, facts, project) : undefined;
  const told = found?.entries ?? ((await isRead(event, project)) ? [] : entriesOfEvent(event, project));
  // A model may name any file as the transcript, or forge a call: only the client's own file tells what a person said.
  const isDoubtful = project.context.isFromModel === true && found?.isClients !== true;
  const entries = isDoubtful ? told.filter(({ kind }) => kind !== "prompt") : told;
  // What is not looked through for secrets is not handed on.
  if (entries.length === 0)
    return { ...facts, news: found && { ...found, entries, goal: undefined, inFlight: [] } };
  const redactor = createRedactor(await project.context.secrets?.(project.root));
  return { ...facts, news: cleanNews({ isClients: false, ...found, entries, inFlight: [] }, redactor) };
}

async function newsOf(
  { client, sessionId, fields }: HookEvent,
  { message, about }: EventFacts,
  { cairn, root, context, now }: EventProject,
): Promise<TranscriptNews | undefined> {
  const known = await loadIfAny(cairn, sessionTrail({ id: sessionId }));
  const activity = known?.state.activity;
  const news = readNews({
    client,
    sessionId,
    root,
    env: context.env,
    folder: about?.folder ?? context.cwd,
    named: textOf(fields, "transcript_path"),
    from: activity?.read,
  });
  if (news !== undefined) return news;
  if (activity?.read !== undefined || message === undefined) return undefined;
  // Without a transcript, the event's own words.
  return { isClients: false, entries: [{ kind: "said", at: now.toISOString(), text: message }] };
}

/** Whether the session's transcript tells of its calls. Where there always is one, that is not looked up. */
async function isRead({ client, sessionId }: HookEvent, { cairn }: EventProject): Promise<boolean> {
  if (CLIENTS[client].alwaysHasTranscript) return true;
  return (await loadIfAny(cairn, sessionTrail({ id: sessionId })))?.state.activity?.read !== undefined;
}

/** What the events of a client without a readable transcript tell. */
function entriesOfEvent(event: HookEvent, { root, now }: EventProject): TranscriptEntry[] {
  const at = now.toISOString();
  if (event.moment === "tools") return rawCalls(event).flatMap((call) => entriesOfCall(call, at, root));
  const said =
    event.moment === "stop" ? textOf(event.fields, "last_assistant_message", "prompt_response") : undefined;
  return said === undefined ? [] : [{ kind: "said", at, text: said }];
}
