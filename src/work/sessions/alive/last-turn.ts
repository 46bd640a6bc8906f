import type { WorkState } from "../../state/work-state.ts";
import { own, textOf } from "../../../core/text/untrusted.ts";
import { reduceActivity } from "../activity/reduce-activity.ts";
import { clientWithId } from "../../clients/clients.ts";
import type { CommandInFlight } from "../events/transcript-entry.ts";
import { activityWithoutSecrets } from "../events/without-secrets.ts";
import { readActivity } from "../transcripts/read-activity.ts";
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
  const found = readActivity({
    client,
    sessionId,
    root,
    env,
    folder: textOf(session, "cwd") ?? root,
    named: textOf(session, "transcript_path"),
    from: state.activity?.read,
  });
  if (found === undefined) return { last: state, inFlight: [] };
  const clean = activityWithoutSecrets(found, await redactor());
  const last = structuredClone(state);
  reduceActivity(last, clean);
  return { last, inFlight: clean.inFlight ?? [] };
}
