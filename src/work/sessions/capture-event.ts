import type { Cairn } from "../state/cairn.ts";
import { isCheckpointError } from "../../core/errors.ts";
import type { ProjectNews } from "../handoff/project-news.ts";
import { own, textOf } from "../../core/text/untrusted.ts";
import { takesContext } from "./answer.ts";
import { CLIENTS } from "../clients/clients.ts";
import type { LentStore } from "./context.ts";
import { withNews } from "./news-of-event.ts";
import { hasLiveAgent } from "./alive/interrupted.ts";
import { noteClient } from "./alive/known-clients.ts";
import {
  type EventProject,
  type EventResult,
  isInsideAgent,
  reduceContext,
  viewpointOf,
} from "./event-project.ts";
import type { EventFacts } from "./events/facts.ts";
import type { HookEvent } from "./events/hook-event.ts";
import type { ReduceContext } from "./reduce/reduce.ts";
import { save } from "./save.ts";
import { PROJECT_TRAIL, sessionTrail, subagentTrail } from "./session.ts";
import { waitingEvents } from "./spool.ts";
import type { ProjectWord } from "./trails/project-word.ts";
import { forkParent } from "./trails/fork-parent.ts";
import { hasWork, lastEnded, loadIfAny, newestUnfinished } from "./trails/unfinished.ts";

/** Saves what an event says, and finds what to tell the model, even if saving fails. */
export async function captureEvent(
  event: HookEvent,
  told: EventFacts,
  project: EventProject,
): Promise<EventResult> {
  const { folder, context } = project;
  if (event.moment === "start" || event.moment === "prompt")
    await noteClient(folder, event.sessionId, { ...context, client: event.client });
  // Spooled events of this session come first; a session that starts also saves those of others.
  await saveWaiting(project, event.moment === "start" ? undefined : event.sessionId);
  const facts = await withNews(event, told, project);
  if (event.moment === "start") return captureStart(event, project, facts);
  const trail = sessionTrail({ id: event.sessionId });
  const isTextWanted = await wantsText(event, facts, project.cairn);
  const unheard =
    event.moment === "prompt" && takesContext(event) ? await newWord(project, trail) : undefined;
  const projectTold = unheard?.word.head;
  const saved = await tried(saveEvent(project, { ...reduceContext(event, project), projectTold }, facts));
  if (isTextWanted) return { trail, ...saved, text: await textFor(event, project, trail) };
  return { trail, ...saved, text: unheard?.news && (await wordText(project, unheard.news)) };
}

/**
 * What was set for the whole project, or taken back, since the session was last told. As long as the project's own trail
 * has not moved, this reads its head and nothing else.
 */
async function newWord({ cairn }: EventProject, trail: string) {
  const head = await cairn.store.head(PROJECT_TRAIL);
  if (head === undefined) return undefined;
  const told = textOf(own((await loadIfAny(cairn, trail))?.state, "session"), "project_told");
  if (told === head) return undefined;
  const { newsSince, projectWord } = await import("./trails/project-word.ts");
  const word = await projectWord(cairn);
  return { word, news: await newsSince(cairn, told, word) };
}

async function wordText(project: EventProject, news: ProjectNews): Promise<string> {
  return (await import("./briefing.ts")).wordBriefing(project, news);
}

async function tried(saving: Promise<boolean>): Promise<Pick<EventResult, "isSaved" | "problem">> {
  return saving.then((isSaved) => ({ isSaved })).catch((problem: unknown) => ({ isSaved: false, problem }));
}

/** A session begins or is resumed: it gets its trail, and what it should know. */
async function captureStart(
  event: HookEvent,
  project: EventProject,
  facts: EventFacts,
): Promise<EventResult> {
  const { cairn } = project;
  const trail = sessionTrail({ id: event.sessionId });
  const { foreignBriefing, ownBriefing } = await import("./briefing.ts");
  const { newsSince, projectWord } = await import("./trails/project-word.ts");
  let problem: unknown;
  const isFirst = (await cairn.store.head(trail)) === undefined;
  const forkedFrom = isFirst
    ? await fork(event, project).catch((error: unknown) => void (problem = error))
    : undefined;
  // One client reports the first prompt at the same time, which may be saved first.
  const isBegun = isFirst || event.client === "copilot";
  const isNew = isBegun && forkedFrom === undefined && textOf(event.fields, "source") !== "resume";
  // A resumed session knows its own past; a new one has none.
  const other = isNew
    ? ((await newestUnfinished(cairn, trail)) ?? (await lastEnded(cairn, trail)))
    : undefined;
  // Work that another agent is doing right now is not handed over.
  const isOpen = other !== undefined && (await hasLiveAgent(other, viewpointOf(project, "another")));
  const handedOver = isOpen ? undefined : other?.checkpoint_id;
  const word = await projectWord(cairn);
  const before = own((await loadIfAny(cairn, trail))?.state, "session");
  const context = { ...reduceContext(event, project), forkedFrom, handedOver, projectTold: word.head };
  const saved = { problem, ...(await tried(save(project, trail, context, facts))) };
  if (other !== undefined)
    return { trail, ...saved, text: await foreignBriefing(project, event, { found: other, word }) };
  const found = await loadIfAny(cairn, trail);
  if (found === undefined || !hasWork(found.state))
    return { trail, ...saved, text: await wholeWord(project, word) };
  const news = await newsSince(cairn, textOf(before, "project_told"), word);
  return { trail, ...saved, text: await ownBriefing(project, event, { found, word, news }) };
}

/** What holds for the whole project, for a session that has nothing else to know. */
async function wholeWord(project: EventProject, { entries }: ProjectWord): Promise<string | undefined> {
  return entries.length === 0 ? undefined : wordText(project, { set: entries, takenBack: [] });
}

/** Starts the trail from the head of the parent's; returns that checkpoint. */
async function fork(
  event: HookEvent,
  { cairn, context, recordedAs }: EventProject,
): Promise<string | undefined> {
  const parent = forkParent(event, context.env);
  const origin = parent && (await loadIfAny(cairn, sessionTrail({ id: parent })));
  if (!origin) return undefined;
  await cairn.trail(origin.trail).fork(sessionTrail({ id: event.sessionId }), {
    trigger: `hook:${event.name}`,
    session_id: event.sessionId,
    ...recordedAs(CLIENTS[event.client].id),
  });
  return origin.checkpoint_id;
}

/**
 * Commits the events that could not be saved when they happened, in their order. A file that makes no sense is skipped and
 * left there: it may have come with the project, and must not keep later events from being saved.
 */
async function saveWaiting(project: EventProject, sessionId?: string): Promise<void> {
  for (const { event, id, at, git, facts, forget } of waitingEvents(project.folder, sessionId)) {
    try {
      await saveEvent(project, { event, eventId: id, at, git }, facts);
    } catch (error) {
      if (isCheckpointError(error) && error.code !== "usage") throw error;
      continue;
    }
    forget();
  }
}

async function saveEvent(store: LentStore, context: ReduceContext, facts: EventFacts): Promise<boolean> {
  const { event } = context;
  const { cairn } = store;
  if (isInsideAgent(event)) return saveInside(store, context, facts);
  const isOver = event.moment === "agent-stop";
  const agent = isOver && (await loadIfAny(cairn, subagentTrail(event.sessionId, event.agentId as string)));
  const filesOfSubagent = agent ? agent.state.files_touched : undefined;
  const inherit = await inheritance(event, cairn, facts);
  return save(store, sessionTrail({ id: event.sessionId }), { ...context, filesOfSubagent, inherit }, facts);
}

/** A prompt or a plan shows whether a session continues the unfinished work that it was told about. */
async function inheritance(
  { sessionId }: HookEvent,
  cairn: Cairn,
  facts: EventFacts,
): Promise<ReduceContext["inherit"]> {
  if (facts.prompt === undefined && facts.tasks === undefined) return undefined;
  const mine = await loadIfAny(cairn, sessionTrail({ id: sessionId }));
  const session = own(mine?.state, "session");
  const isOpen = textOf(session, "handed_over") !== undefined && textOf(session, "took_over") === undefined;
  if (mine === undefined || !isOpen) return undefined;
  const { takeOver } = await import("./trails/take-over.ts");
  return takeOver(cairn, mine, facts);
}

/** Saves to the sub-agent's own trail, except for tasks: that list is the session's. */
async function saveInside(store: LentStore, context: ReduceContext, facts: EventFacts): Promise<boolean> {
  const { event } = context;
  const { tasks, ...inside } = facts;
  const parentTrail = sessionTrail({ id: event.sessionId });
  const trail = subagentTrail(event.sessionId, event.agentId as string);
  const isSaved = await save(store, trail, { ...context, parentTrail }, inside);
  if (tasks === undefined) return isSaved;
  return (await save(store, parentTrail, context, { tasks, about: facts.about })) || isSaved;
}

/** Whether the model should read something now. Where no session starts after a compaction, the next prompt brings it. */
async function wantsText(event: HookEvent, { compactions = 0 }: EventFacts, cairn: Cairn): Promise<boolean> {
  const { moment, client, sessionId } = event;
  if (moment === "agent-start") return true;
  if (CLIENTS[client].toldBeforeCompaction !== undefined)
    return moment === "before-compaction" && !isInsideAgent(event);
  if (compactions === 0) return false;
  const known = await loadIfAny(cairn, sessionTrail({ id: sessionId }));
  return compactions > (known?.state.session?.compactions ?? 0);
}

async function textFor(event: HookEvent, project: EventProject, trail: string): Promise<string | undefined> {
  const { projectWord } = await import("./trails/project-word.ts");
  const [found, word] = [await loadIfAny(project.cairn, trail), await projectWord(project.cairn)];
  if (found === undefined || !hasWork(found.state))
    return event.moment === "agent-start" ? wholeWord(project, word) : undefined;
  const { ownBriefing, subagentBriefing, summarizerBriefing } = await import("./briefing.ts");
  const agentOrSummary = event.moment === "agent-start" ? subagentBriefing : summarizerBriefing;
  return (event.moment === "prompt" ? ownBriefing : agentOrSummary)(project, event, { found, word });
}
