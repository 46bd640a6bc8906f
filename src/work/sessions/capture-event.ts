import { isCheckpointError } from "../../core/errors.ts";
import { textOf } from "../../core/text/untrusted.ts";
import { CLIENTS } from "../clients/clients.ts";
import type { Cairn } from "../state/cairn.ts";
import { withActivity } from "./activity-of-event.ts";
import { hasLiveAgent } from "./alive/interrupted.ts";
import { noteClient } from "./alive/known-clients.ts";
import { takesContext } from "./answer.ts";
import { type EventProject, type LentStore, viewpointOf } from "./context.ts";
import { type HookEvent, isInsideAgent } from "./events/hook-event.ts";
import type { SessionEvent } from "./events/session-event.ts";
import type { TrailEvent } from "./reduce/reduce.ts";
import { notesOf, save } from "./save.ts";
import { PROJECT_TRAIL, sessionTrail, subagentTrail } from "./session.ts";
import { waitingEvents } from "./spool.ts";
import { forkParent } from "./trails/fork-parent.ts";
import { hasWork, lastEnded, loadIfAny, newestUnfinished } from "./trails/unfinished.ts";

export interface EventResult {
  readonly isSaved: boolean;
  /** What the model should read. */
  readonly text?: string | undefined;
  readonly problem?: unknown;
}

/** Saves what an event says, and finds what to tell the model, even if saving fails. */
export async function captureEvent(told: SessionEvent, project: EventProject): Promise<EventResult> {
  const { hook } = told;
  const { moment, client, sessionId } = hook;
  if (moment === "start" || moment === "prompt")
    await noteClient(project.folder, sessionId, { ...project.context, client });
  // Spooled events of this session come first; a session that starts also saves those of others.
  await saveWaiting(project, moment === "start" ? undefined : sessionId);
  const event = { ...told, content: await withActivity(told, project) };
  if (moment === "start") return captureStart(event, project);
  const isTextWanted = await wantsText(event, project.cairn);
  const rules = moment === "prompt" && takesContext(hook) ? await newRules(project, sessionId) : undefined;
  const saved = await tried(saveEvent(project, { ...event, projectTold: rules?.head }));
  return { ...saved, text: isTextWanted ? await textFor(hook, project) : rules?.text };
}

async function tried(saving: Promise<boolean>): Promise<EventResult> {
  return saving.then((isSaved) => ({ isSaved })).catch((problem: unknown) => ({ isSaved: false, problem }));
}

/** A session begins or is resumed: it gets its trail, and what it should know. */
async function captureStart(event: SessionEvent, project: EventProject): Promise<EventResult> {
  const { hook } = event;
  const { cairn } = project;
  const trail = sessionTrail(hook.sessionId);
  const { foreignBriefing, ownBriefing } = await import("./briefing.ts");
  const { projectRules, rulesSince } = await import("./trails/project-rules.ts");
  let problem: unknown;
  const isFirst = (await cairn.store.head(trail)) === undefined;
  const forkedFrom = isFirst
    ? await fork(hook, project).catch((error: unknown) => void (problem = error))
    : undefined;
  const isBegun = isFirst || CLIENTS[hook.client].mayPromptFirst;
  const isNew = isBegun && forkedFrom === undefined && textOf(hook.fields, "source") !== "resume";
  // A resumed session knows its own past; a new one has none.
  const other = isNew
    ? ((await newestUnfinished(cairn, trail)) ?? (await lastEnded(cairn, trail)))
    : undefined;
  // Work that another agent is doing right now is not handed over.
  const isOpen = other !== undefined && (await hasLiveAgent(other, viewpointOf(project, "another")));
  const handedOver = isOpen ? undefined : other?.checkpoint_id;
  const rules = await projectRules(cairn);
  const told = (await loadIfAny(cairn, trail))?.state.session?.project_told;
  const trailEvent = { ...event, forkedFrom, handedOver, projectTold: rules.head };
  const saved = { problem, ...(await tried(save(project, trail, trailEvent))) };
  if (other !== undefined)
    return { ...saved, text: await foreignBriefing(project, hook, { found: other, rules, isOpen }) };
  const found = await loadIfAny(cairn, trail);
  if (found === undefined || !hasWork(found.state))
    return { ...saved, text: await rulesSince(cairn, undefined, rules) };
  const newRules = await rulesSince(cairn, told, rules);
  return { ...saved, text: await ownBriefing(project, hook, { found, rules, newRules }) };
}

/** Starts the trail from the head of the parent's; returns that checkpoint. */
async function fork(
  hook: HookEvent,
  { cairn, context, recordedAs }: EventProject,
): Promise<string | undefined> {
  const parent = forkParent(hook, context.env);
  const origin = parent && (await loadIfAny(cairn, sessionTrail(parent)));
  if (!origin) return undefined;
  const notes = { ...notesOf(hook), ...recordedAs(CLIENTS[hook.client].id) };
  await cairn.trail(origin.trail).fork(sessionTrail(hook.sessionId), notes);
  return origin.checkpoint_id;
}

/**
 * Commits the events that could not be saved when they happened, in their order. A file that makes no sense is skipped and
 * left there: it may have come with the project, and must not keep later events from being saved.
 */
async function saveWaiting(project: EventProject, sessionId?: string): Promise<void> {
  for (const { event, forget } of waitingEvents(project.folder, sessionId)) {
    try {
      await saveEvent(project, event);
    } catch (error) {
      if (isCheckpointError(error) && error.code !== "usage") throw error;
      continue;
    }
    forget();
  }
}

async function saveEvent(store: LentStore, event: TrailEvent): Promise<boolean> {
  const { hook, content } = event;
  const trail = sessionTrail(hook.sessionId);
  if (isInsideAgent(hook)) {
    // To the sub-agent's own trail, except for tasks: that list is the session's.
    const { tasks, ...inside } = content;
    const own = subagentTrail(hook.sessionId, hook.agentId!);
    const isSaved = await save(store, own, { ...event, content: inside, parentTrail: trail });
    if (!tasks?.length) return isSaved;
    return (await save(store, trail, { ...event, content: { tasks, about: content.about } })) || isSaved;
  }
  const agent =
    hook.moment === "agent-stop"
      ? await loadIfAny(store.cairn, subagentTrail(hook.sessionId, hook.agentId!))
      : undefined;
  const inherit = await inheritance(event, store.cairn);
  return save(store, trail, { ...event, filesOfSubagent: agent?.state.files_touched, inherit });
}

/** A prompt or a plan shows whether a session continues the unfinished work that it was told about. */
async function inheritance({ hook, content }: TrailEvent, cairn: Cairn): Promise<TrailEvent["inherit"]> {
  if (content.prompt === undefined && !content.tasks?.length) return undefined;
  const mine = await loadIfAny(cairn, sessionTrail(hook.sessionId));
  const { handed_over, took_over } = mine?.state.session ?? {};
  if (mine === undefined || handed_over === undefined || took_over !== undefined) return undefined;
  const { takeOver } = await import("./trails/take-over.ts");
  return takeOver(cairn, mine, content);
}

/** Whether the model should read something now. Where no session starts after a compaction, the next prompt brings it. */
async function wantsText({ hook, content }: SessionEvent, cairn: Cairn): Promise<boolean> {
  const { compactions = 0 } = content;
  if (hook.moment === "agent-start") return true;
  if (CLIENTS[hook.client].toldBeforeCompaction !== undefined)
    return hook.moment === "before-compaction" && !isInsideAgent(hook);
  if (compactions === 0) return false;
  const known = await loadIfAny(cairn, sessionTrail(hook.sessionId));
  return compactions > (known?.state.session?.compactions ?? 0);
}

async function textFor(hook: HookEvent, project: EventProject): Promise<string | undefined> {
  const { cairn } = project;
  const { projectRules, rulesSince } = await import("./trails/project-rules.ts");
  const rules = await projectRules(cairn);
  const found = await loadIfAny(cairn, sessionTrail(hook.sessionId));
  if (found === undefined || !hasWork(found.state))
    return hook.moment === "agent-start" ? rulesSince(cairn, undefined, rules) : undefined;
  const { ownBriefing, subagentBriefing, summarizerBriefing } = await import("./briefing.ts");
  const agentOrSummary = hook.moment === "agent-start" ? subagentBriefing : summarizerBriefing;
  const briefing = hook.moment === "prompt" ? ownBriefing : agentOrSummary;
  return briefing(project, hook, { found, rules });
}

/**
 * What was set for the whole project, or taken back, since the session was last told. As long as the project's own trail
 * has not moved, this reads its head and nothing else.
 */
async function newRules({ cairn }: EventProject, sessionId: string) {
  const head = await cairn.store.head(PROJECT_TRAIL);
  if (head === undefined) return undefined;
  const mine = await loadIfAny(cairn, sessionTrail(sessionId));
  const told = mine?.state.session?.project_told;
  if (told === head) return undefined;
  const { projectRules, rulesSince } = await import("./trails/project-rules.ts");
  const rules = await projectRules(cairn);
  return { head: rules.head, text: await rulesSince(cairn, told, rules) };
}
