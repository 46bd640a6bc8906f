import type { WorkState } from "../../state/work-state.ts";
import type { JsonObject } from "../../../core/objects/json.ts";
import type { Redactor } from "../../../core/redaction/redactor.ts";
import { closeGaps } from "../../../core/text/shorten.ts";
import { own, textOf } from "../../../core/text/untrusted.ts";
import { reduceActivity } from "../activity/reduce-activity.ts";
import { clientWithId } from "../clients/clients.ts";
import type { CommandInFlight, TranscriptNews } from "../events/transcript-entry.ts";
import { readNews } from "../transcripts/read-news.ts";
import type { Viewpoint } from "./interrupted.ts";

/** The state of a session that broke off, with what its client wrote to the transcript and no event told any more. */
export async function withLastTurn(
  state: WorkState,
  { root, env, redactor }: Viewpoint,
): Promise<{ readonly last: WorkState; readonly inFlight: readonly CommandInFlight[] }> {
  const session = own(state, "session");
  const client = clientWithId(textOf(session, "client"));
  const sessionId = textOf(session, "id");
  if (client === undefined || sessionId === undefined) return { last: state, inFlight: [] };
  const news = readNews({
    client,
    sessionId,
    root,
    env,
    folder: textOf(session, "cwd") ?? root,
    named: textOf(session, "transcript_path"),
    from: state.activity?.read,
    isOver: true,
  });
  if (news === undefined) return { last: state, inFlight: [] };
  const clean = cleanNews(news, await redactor());
  const last = structuredClone(state);
  reduceActivity(last, clean);
  return { last, inFlight: clean.inFlight ?? [] };
}

/** News without secrets: found while the texts are whole, before the gaps in them are closed. */
export function cleanNews(news: TranscriptNews, redactor: Redactor): TranscriptNews {
  const { entries, goal, inFlight = [] } = news;
  const told = { entries, inFlight, ...(goal === undefined ? {} : { goal }) };
  const clean = closeGaps(redactor.redact(told as unknown as JsonObject).value);
  return { ...news, ...(clean as unknown as typeof told) };
}
