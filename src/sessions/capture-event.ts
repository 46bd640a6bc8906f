import { join } from "node:path";
import type { Cairn } from "../checkpoints/cairn.ts";
import { own, textOf } from "../text/untrusted.ts";
import { captureStart } from "./capture-start.ts";
import type { Said } from "./events/facts.ts";
import type { HookEvent } from "./events/hook-event.ts";
import { noteClient } from "./clients/known-clients.ts";
import { type Captured, isInsideAgent, knownOf, type Place, placeOf } from "./place.ts";
import { readFacts } from "./events/read-facts.ts";
import type { Known } from "./reduce/reduce.ts";
import { save, trailOf } from "./save.ts";
import { sessionFolder } from "./clients/session-folder.ts";
import { sessionTrail, subagentTrail } from "./session.ts";
import { loadIfAny } from "./trails/unfinished.ts";
import { withoutSecrets } from "./events/without-secrets.ts";

/** Saves what an event says, and finds what is to be said to it: also when saving fails, because that is only half of it. */
export async function captureEvent(event: HookEvent, place: Place): Promise<Captured> {
  const { root, context } = place;
  const trail = sessionTrail({ id: event.sessionId });
  const said = await withoutSecrets(
    readFacts(event, { root, env: context.env, folder: sessionFolder(event, context) }),
    await context.secrets?.(root),
  );
  if (event.moment === "start" || event.moment === "prompt")
    await noteClient(join(root, ".cairn"), event.sessionId, { ...context, client: event.client });
  if (event.moment === "start") return captureStart(event, place, said);
  const isWanted = await wantsText(event, place, trail);
  let isSaved = false;
  let problem: unknown;
  try {
    isSaved = isInsideAgent(event)
      ? await saveInside(event, place, said)
      : await saveSession(event, place, said);
  } catch (error) {
    problem = error;
  }
  return { trail, isSaved, problem, text: isWanted ? await textFor(event, place, trail) : undefined };
}

async function saveSession(event: HookEvent, place: Place, said: Said): Promise<boolean> {
  const { cairn } = place;
  const filesOfSubagent = event.moment === "agent-stop" ? await filesOf(event, cairn) : undefined;
  const inherit = await inheritance(event, place, said);
  const known = { ...knownOf(event, place), filesOfSubagent, inherit };
  return save(trailOf(cairn, sessionTrail({ id: event.sessionId })), known, said);
}

/** A session that was told of unfinished work shows by a prompt or by its plan whether it goes on with that. */
async function inheritance(
  { sessionId }: HookEvent,
  { cairn }: Place,
  said: Said,
): Promise<Known["inherit"]> {
  if (said.prompt === undefined && said.tasks === undefined) return undefined;
  const mine = await loadIfAny(cairn, sessionTrail({ id: sessionId }));
  const session = own(mine?.state, "session");
  const isOpen = textOf(session, "handed_over") !== undefined && textOf(session, "took_over") === undefined;
  if (mine === undefined || !isOpen) return undefined;
  const { takeOver } = await import("./trails/take-over.ts");
  return takeOver(cairn, mine, said);
}

/** The sub-agent's own trail; but the list of tasks is the session's. */
async function saveInside(event: HookEvent, place: Place, said: Said): Promise<boolean> {
  const { tasks, ...mine } = said;
  const { about = {} } = said;
  const parentTrail = sessionTrail({ id: event.sessionId });
  const trail = trailOf(place.cairn, subagentTrail(event.sessionId, event.agentId as string));
  const isInsideSaved = await save(trail, { ...knownOf(event, place), parentTrail }, mine);
  const isOutsideSaved =
    tasks !== undefined &&
    (await save(trailOf(place.cairn, parentTrail), knownOf(event, place), { tasks, about }));
  return isInsideSaved || isOutsideSaved;
}

async function filesOf(event: HookEvent, cairn: Cairn): Promise<readonly string[]> {
  const trail = subagentTrail(event.sessionId, event.agentId as string);
  if ((await cairn.store.head(trail)) === undefined) return [];
  return (await loadIfAny(cairn, trail))?.state.files_touched ?? [];
}

/** Whether the model is to read something now. Where no session starts after a compaction, the next prompt brings it. */
async function wantsText(event: HookEvent, { cairn }: Place, trail: string): Promise<boolean> {
  const { moment, client } = event;
  if (moment === "agent-start") return true;
  if (client === "claude" || client === "opencode")
    return moment === "before-compaction" && !isInsideAgent(event);
  if (client !== "gemini" || moment !== "prompt") return false;
  return own((await loadIfAny(cairn, trail))?.state.session, "is_compacted") === true;
}

async function textFor(event: HookEvent, at: Place, trail: string): Promise<string | undefined> {
  const found = await loadIfAny(at.cairn, trail);
  if (found === undefined) return undefined;
  const place = placeOf(at);
  const { ownBriefing, subagentBriefing, summarizerBriefing } = await import("./briefing.ts");
  if (event.moment === "agent-start") return subagentBriefing(place, event, found);
  return event.moment === "prompt"
    ? ownBriefing(place, event, found)
    : summarizerBriefing(place, event, found);
}
