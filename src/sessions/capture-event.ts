import { join } from "node:path";
import { readGitHead } from "../capture/git-head.ts";
import type { Cairn } from "../checkpoints/cairn.ts";
import { own, textOf } from "../handoff/untrusted.ts";
import type { Place as BriefingPlace } from "./briefing.ts";
import type { SessionContext } from "./context.ts";
import { exportTrail } from "./export-trail.ts";
import type { Said } from "./facts.ts";
import { forkParent } from "./fork-parent.ts";
import type { HookEvent } from "./hook-event.ts";
import { hasLiveAgent } from "./interrupted.ts";
import { noteClient } from "./known-clients.ts";
import { readFacts } from "./read-facts.ts";
import type { Known } from "./reduce.ts";
import { save, trailOf } from "./save.ts";
import { sessionFolder } from "./session-folder.ts";
import { sessionTrail, subagentTrail } from "./session.ts";
import { loadIfAny, newestUnfinished } from "./unfinished.ts";
import { withoutSecrets } from "./without-secrets.ts";

/** What became of an event. */
export interface Captured {
  readonly trail: string;
  readonly isSaved: boolean;
  /** What the model should read. */
  readonly text?: string | undefined;
  /** Why it could not be saved. */
  readonly problem?: unknown;
}

interface Place {
  readonly cairn: Cairn;
  readonly root: string;
  readonly context: SessionContext;
}

/** Saves what an event says, and finds what is to be said to it: also when saving fails, because that is only half of it. */
export async function captureEvent(event: HookEvent, place: Place): Promise<Captured> {
  const { root, context } = place;
  const trail = sessionTrail({ id: event.sessionId });
  const said = await withoutSecrets(
    readFacts(event, { root, env: context.env, folder: sessionFolder(event, context) }),
    await context.secrets?.(root),
  );
  if (event.moment === "start" || event.moment === "prompt")
    await noteClient(join(root, ".cairn"), event.sessionId, context);
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

/** Things that happen to a sub-agent belong to its session; what happens in it is its own. */
function isInsideAgent({ agentId, moment }: HookEvent): boolean {
  return agentId !== undefined && moment !== "agent-start" && moment !== "agent-stop";
}

async function saveSession(event: HookEvent, place: Place, said: Said): Promise<boolean> {
  const { cairn } = place;
  const filesOfSubagent = event.moment === "agent-stop" ? await filesOf(event, cairn) : undefined;
  const inherit = await inheritance(event, place, said);
  const known = { ...knownOf(event, place), filesOfSubagent, inherit };
  return (await save(trailOf(cairn, sessionTrail({ id: event.sessionId })), known, said)) !== undefined;
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
  const { takeOver } = await import("./take-over.ts");
  return takeOver(cairn, mine, said);
}

/** The sub-agent's own trail; but the list of tasks is the session's. */
async function saveInside(event: HookEvent, place: Place, said: Said): Promise<boolean> {
  const { tasks, ...mine } = said;
  const { about = {} } = said;
  const parentTrail = sessionTrail({ id: event.sessionId });
  const trail = trailOf(place.cairn, subagentTrail(event.sessionId, event.agentId as string));
  const inside = await save(trail, { ...knownOf(event, place), parentTrail }, mine);
  const outside =
    tasks && (await save(trailOf(place.cairn, parentTrail), knownOf(event, place), { tasks, about }));
  return inside !== undefined || outside !== undefined;
}

function knownOf(event: HookEvent, { root, context }: Place): Known {
  // A sub-agent may work in a worktree of its own.
  const folder = isInsideAgent(event) ? (textOf(event.fields, "cwd") ?? root) : root;
  return {
    event,
    at: context.now().toISOString(),
    git: readGitHead(folder),
  };
}

async function filesOf(event: HookEvent, cairn: Cairn): Promise<readonly string[]> {
  const trail = subagentTrail(event.sessionId, event.agentId as string);
  if ((await cairn.store.head(trail)) === undefined) return [];
  return (await loadIfAny(cairn, trail))?.state.files_touched ?? [];
}

/** A session begins or goes on: it gets its trail, and what it should know. */
async function captureStart(event: HookEvent, place: Place, said: Said): Promise<Captured> {
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
    isSaved = (await save(trailOf(cairn, name), known, said)) !== undefined;
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

function placeOf({ cairn, root, context }: Place): BriefingPlace {
  return { cairn, root, folder: join(root, ".cairn"), now: context.now() };
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
