import type { Checkpoint } from "../../core/trails/document.ts";
import { type AgentSession, emptyWorkState, type WorkState } from "../state/work-state.ts";
import { forSubagent } from "../handoff/for-subagent.ts";
import { handoff } from "../handoff/handoff.ts";
import { textOf } from "../../core/text/untrusted.ts";
import { CLIENTS, clientWithId } from "../clients/clients.ts";
import { commandToResume, safeId, statusCommand } from "./command-to-resume.ts";
import { markInterrupted, type Reader } from "./alive/interrupted.ts";
import { viewpointOf, type EventProject } from "./context.ts";
import type { HookEvent } from "./events/hook-event.ts";
import { PROJECT_TRAIL } from "./session.ts";
import type { ProjectRules } from "./trails/project-rules.ts";
import { isUnfinished } from "./trails/unfinished.ts";
import { changedWork, noteRecord, recordInConversation } from "./record-in-conversation.ts";

/** The most that clients show the model of a text: of a longer one they would show only the first lines. */
const MAX_CHARS = 9500;
/** What stands around a handoff costs at most this much of a limit in tokens. */
const INTRODUCTION_TOKENS = 240;

/** The work of a session, and what holds for the whole project. */
interface SessionWork {
  readonly found: Checkpoint<WorkState>;
  readonly rules: ProjectRules;
}

/**
 * What an agent should know about its own work after a compaction, a resume or a fork. A conversation that was given the
 * record before gets what changed since: otherwise each resume would add another copy.
 */
export async function ownBriefing(
  project: EventProject,
  event: HookEvent,
  { found, rules, newRules }: SessionWork & { readonly newRules?: string | undefined },
): Promise<string> {
  const isRunning = textOf(event.fields, "source") === "compact" || event.moment === "prompt";
  const known = isRunning ? undefined : await recordInConversation(project.cairn, event, found);
  if (known !== undefined) {
    const changes = await changesSince(project, event, { known, found });
    return newRules === undefined ? changes : `${changes}\n\n${newRules}`;
  }
  const introduction = [
    "Cairn kept this record of your session automatically. Where it differs from your memory, check.",
    ...earlierWork(found.state.session),
  ].join("\n");
  const reader = isRunning ? "itself" : "itself again";
  const text = await brief(project, event, { found, introduction, reader, rules });
  await noteRecord(project, event, found);
  return text;
}

async function changesSince(
  project: EventProject,
  event: HookEvent,
  { known, found }: Record<"known" | "found", Checkpoint<WorkState>>,
): Promise<string> {
  const above = `Cairn's record of your session, which you were given before (checkpoint ${known.checkpoint_id}),`;
  const reader = "itself again";
  const changed = changedWork(
    await markInterrupted(known, viewpointOf(project, "itself")),
    await markInterrupted(found, viewpointOf(project, reader)),
  );
  const names = Object.keys(changed);
  if (names.length === 0) return `${above} is still current.`;
  const introduction = `${above} has changed since, in: ${names.join(", ").replaceAll("_", " ")}. This is new:`;
  const update = { ...found, state: { ...emptyWorkState(), ...changed } };
  const text = await brief(project, event, { found: update, introduction, reader, isUpdate: true });
  await noteRecord(project, event, found);
  return text;
}

function earlierWork(session: AgentSession | undefined): string[] {
  const [tookOver, handedOver] = [session?.took_over, session?.handed_over].map(safeId);
  if (tookOver !== undefined)
    return [
      `It took over unfinished work, whose open tasks are listed here as before-…; how that work was left: checkpoint load ${tookOver}`,
    ];
  if (handedOver === undefined) return [];
  return [`Before that, earlier work was handed to this session: checkpoint load ${handedOver}`];
}

/** What a new session is told of another's work, and what it should do about it. */
const FOREIGN = {
  open: [
    "work in this project that is under way",
    "That session is still open: its tasks are its own. Leave them alone unless the user asks you to take them over.",
  ],
  left: [
    "unfinished work in this project",
    "Tell the user in one sentence what is open, and continue it if they ask you to; if they ask for something else, leave it alone. If that session is still open elsewhere, its tasks are its own.",
  ],
  over: [
    "what was done last in this project",
    "That session ended normally, and recorded nothing as open. Continue from there if the user's request does; otherwise leave it alone.",
  ],
} as const;

/** Work that is over is told shortly: most sessions are about something else. */
const MOST_OF_ENDED = 4000;

/** What a new session should know about work that another one left or is still doing. */
export async function foreignBriefing(
  project: EventProject,
  event: HookEvent,
  { found, rules, isOpen }: SessionWork & { readonly isOpen: boolean },
): Promise<string> {
  const isOver = !isOpen && !isUnfinished(found.state);
  const [what, rule] = FOREIGN[isOpen ? "open" : isOver ? "over" : "left"];
  const introduction = `Cairn found ${what}, from ${whose(found)}, last saved at ${found.created_at}. ${rule}`;
  const resume = commandToResume(found, project.root);
  const most = isOver ? MOST_OF_ENDED : undefined;
  return brief(project, event, { found, introduction, reader: "another", resume, rules, most });
}

/** The true state of the tasks, for the summary of a conversation. */
export async function summarizerBriefing(
  project: EventProject,
  event: HookEvent,
  { found, rules }: SessionWork,
): Promise<string> {
  const introduction = `Checkpoint ${found.checkpoint_id} holds the true state of this work. In the summary, keep its goal, constraints and instructions, the status of each task exactly as recorded, files, failing checks and next action, and this checkpoint's id.`;
  if (CLIENTS[event.client].toldBeforeCompaction?.(event) === "checkpoint")
    return `Cairn saved checkpoint ${found.checkpoint_id}, and will add its record to the conversation after this. In the summary, do not call a task done unless it is, and keep this checkpoint's id.`;
  return brief(project, event, { found, introduction, reader: "itself", rules });
}

/** What a sub-agent should know about the work it is part of. */
export async function subagentBriefing(
  { cairn }: EventProject,
  event: HookEvent,
  { found, rules }: SessionWork,
): Promise<string> {
  const { state, ...checkpoint } = found;
  const { key } = await cairn.store.identity();
  const role = (event.agentType ?? "").replaceAll(/[-_:]+/g, " ").slice(0, 200);
  const input = { checkpoint, state, key, project: rules.entries };
  const { family } = CLIENTS[event.client];
  return forSubagent(input, role, { maxTokens: 1000, maxChars: 6000, shrink: true, family }).text;
}

interface BriefingInput {
  readonly found: Checkpoint<WorkState>;
  readonly introduction: string;
  readonly reader: Reader;
  readonly resume?: string;
  readonly isUpdate?: boolean;
  readonly rules?: ProjectRules;
  /** So many characters at most, if that is less than the client lets through. */
  readonly most?: number | undefined;
}

/** Introduction, handoff and what capabilities end it with, together within the client's limit. Same input, same bytes. */
async function brief(
  project: EventProject,
  { client }: HookEvent,
  { found, introduction, reader, resume = statusCommand(found.trail), isUpdate, rules, most }: BriefingInput,
): Promise<string> {
  const { state: _state, ...checkpoint } = found;
  const state = await markInterrupted(found, viewpointOf(project, reader));
  const { key } = await project.cairn.store.identity();
  const { maxTokens, family } = CLIENTS[client];
  // The project's own trail holds it already.
  const told = found.trail === PROJECT_TRAIL ? undefined : rules?.entries;
  const input = { checkpoint, state, key, resumeCommand: resume, isUpdate, project: told };
  const ends = (await project.context.briefingEnds?.(project.root, found.trail)) ?? [];
  const around = [introduction, ...ends].reduce((sum, part) => sum + part.length + 2, 0);
  const { text } = handoff(input, {
    family,
    shrink: true,
    maxChars: Math.min(MAX_CHARS, most ?? MAX_CHARS) - around,
    maxTokens: maxTokens && maxTokens - INTRODUCTION_TOKENS,
  });
  return [`${introduction}\n\n${text}`, ...ends].join("\n");
}

function whose({ trail, state }: Checkpoint<WorkState>): string {
  const client = clientWithId(state.session?.client);
  const id = safeId(state.session?.id);
  return client === undefined || id === undefined
    ? `trail ${trail}`
    : `${CLIENTS[client].product} session ${id} (trail ${trail})`;
}
