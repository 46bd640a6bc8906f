import { textOf } from "../../core/text/untrusted.ts";
import { CLIENTS } from "../clients/clients.ts";
import { entriesOfCall } from "./activity/step-of-call.ts";
import type { EventProject } from "./context.ts";
import type { EventKind } from "./events/hook-event.ts";
import { rawCalls } from "./events/read-calls.ts";
import type { EventContent, SessionEvent } from "./events/session-event.ts";
import type { ActivityUpdate, TranscriptEntry } from "./events/transcript-entry.ts";
import { activityWithoutSecrets } from "./events/without-secrets.ts";
import { sessionTrail } from "./session.ts";
import { loadIfAny } from "./trails/unfinished.ts";
import { readActivity } from "./transcripts/read-activity.ts";
import { TRANSCRIPTS } from "./transcripts/transcripts.ts";

/** When a transcript is read: never on the path of a tool call. */
const READ_AT: readonly EventKind[] = ["start", "prompt", "stop", "failure", "before-compaction", "end"];

/** What an event says, with what the agent said and did since the last one. */
export async function withActivity(event: SessionEvent, project: EventProject): Promise<EventContent> {
  const { hook, content } = event;
  if (hook.agentId !== undefined) return content;
  const count = hook.moment === "prompt" ? TRANSCRIPTS[hook.client]?.compactions : undefined;
  const compactions = count?.(textOf(hook.fields, "transcript_path"));
  return { ...content, compactions, activity: await activityOf(event, project) };
}

async function activityOf(event: SessionEvent, project: EventProject): Promise<ActivityUpdate | undefined> {
  const { moment, client, sessionId, fields } = event.hook;
  const { cairn, root, context, redactor } = project;
  const isReadNow = READ_AT.includes(moment);
  // Where there always is a transcript, nothing is looked up either.
  if (!isReadNow && CLIENTS[client].alwaysHasTranscript) return undefined;
  const from = (await loadIfAny(cairn, sessionTrail(sessionId)))?.state.activity?.read;
  const named = textOf(fields, "transcript_path");
  const folder = event.content.about?.folder ?? context.cwd;
  const found = isReadNow
    ? readActivity({ client, sessionId, root, env: context.env, folder, named, from })
    : undefined;
  const told = found?.entries ?? (from === undefined ? entriesOf(event, root) : []);
  // A model may name any file as the transcript, or forge a call: only the client's own file tells what a person said.
  const isDoubtful = context.isFromModel === true && found?.isClients !== true;
  const entries = isDoubtful ? told.filter(({ kind }) => kind !== "prompt") : told;
  // What is not looked through for secrets is not handed on.
  if (entries.length === 0) return found && { ...found, entries, goal: undefined, inFlight: [] };
  return activityWithoutSecrets({ isClients: false, ...found, entries, inFlight: [] }, redactor);
}

/** What an event itself tells, where no transcript was ever read. */
function entriesOf({ hook, content, at }: SessionEvent, root: string): TranscriptEntry[] {
  if (hook.moment === "tools") return rawCalls(hook).flatMap((call) => entriesOfCall(call, at, root));
  return content.message === undefined ? [] : [{ kind: "said", at, text: content.message }];
}
