import { textOf } from "../text/untrusted.ts";
import { exportTrail } from "./trails/export-trail.ts";
import type { Said } from "./events/facts.ts";
import { forkParent } from "./trails/fork-parent.ts";
import type { HookEvent } from "./events/hook-event.ts";
import { hasLiveAgent } from "./clients/interrupted.ts";
import { type Captured, knownOf, type Place, placeOf } from "./place.ts";
import { save, trailOf } from "./save.ts";
import { sessionTrail } from "./session.ts";
import { loadIfAny, newestUnfinished } from "./trails/unfinished.ts";

/** A session begins or goes on: it gets its trail, and what it should know. */
export async function captureStart(event: HookEvent, place: Place, said: Said): Promise<Captured> {
  const { cairn, context } = place;
  const name = sessionTrail({ id: event.sessionId });
  exportTrail(event, name, context.env);
  const { foreignBriefing, ownBriefing } = await import("./briefing.ts");
  let problem: unknown;
  let isSaved = false;
  const isFirst = (await cairn.store.head(name)) === undefined;
  const source = textOf(event.fields, "source") ?? "startup";
  const forkedFrom = isFirst
    ? await fork(event, place).catch((error: unknown) => void (problem = error))
    : undefined;
  const isNew = isFirst && forkedFrom === undefined;
  // A session that is resumed knows its own past; one that is new has none.
  const other = isNew && source !== "resume" ? await newestUnfinished(cairn, name) : undefined;
  // What somebody else is at is not handed over.
  const isOpen = other !== undefined && (await hasLiveAgent(other, { ...placeOf(place), reader: "another" }));
  try {
    const handedOver = isOpen ? undefined : other?.checkpoint_id;
    const known = { ...knownOf(event, place), forkedFrom, handedOver };
    isSaved = await save(trailOf(cairn, name), known, said);
  } catch (error) {
    problem = error;
  }
  if (other !== undefined) {
    return { trail: name, isSaved, problem, text: await foreignBriefing(placeOf(place), event, other) };
  }
  const found = await loadIfAny(cairn, name);
  return { trail: name, isSaved, problem, text: found && (await ownBriefing(placeOf(place), event, found)) };
}

/** Starts the trail from where the parent stands; returns that checkpoint. */
async function fork(event: HookEvent, { cairn, context }: Place): Promise<string | undefined> {
  const parent = forkParent(event, context.env);
  const origin = parent && (await loadIfAny(cairn, sessionTrail({ id: parent })));
  if (!origin) return undefined;
  await trailOf(cairn, origin.trail).fork(sessionTrail({ id: event.sessionId }), {
    trigger: `hook:${event.name}`,
    session_id: event.sessionId,
  });
  return origin.checkpoint_id;
}
