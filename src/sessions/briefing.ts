import type { Checkpoint } from "../checkpoints/document.ts";
import { emptyWorkState, type WorkState } from "../checkpoints/work-state.ts";
import { forSubagent } from "../handoff/for-subagent.ts";
import { handoff } from "../handoff/handoff.ts";
import type { HandoffOptions } from "../handoff/options.ts";
import { own, textOf } from "../text/untrusted.ts";
import { clientWithId } from "./client-info.ts";
import { commandToResume, safeId, statusCommand } from "./clients/command-to-resume.ts";
import { hasLiveAgent, markInterrupted, type Reader } from "./clients/interrupted.ts";
import type { ClientName } from "./context.ts";
import { viewpointOf, type EventProject } from "./event-project.ts";
import type { HookEvent } from "./events/hook-event.ts";
import { changedWork } from "./changed-work.ts";
import { loadIfAny } from "./trails/unfinished.ts";
import { recordInContext } from "./read-transcript.ts";

type BriefingLimits = HandoffOptions & { readonly maxChars: number };

/** What a client lets through: it would show the model only the first lines of a longer text. */
const LIMITS: BriefingLimits = { level: "full", maxChars: 9500, shrink: true };
const LIMITS_OF: Readonly<Partial<Record<ClientName, BriefingLimits>>> = {
  codex: { maxTokens: 2500, maxChars: 9500, family: "gpt", shrink: true },
  gemini: { ...LIMITS, family: "gemini" },
};

/** Our introduction to a handoff costs at most this much of the limit. */
const INTRODUCTION_TOKENS = 200;

/** What an agent should know about its own work after a compaction, a resume or a fork. */
export async function ownBriefing(
  project: EventProject,
  event: HookEvent,
  found: Checkpoint<WorkState>,
): Promise<string> {
  const isRunning = textOf(event.fields, "source") === "compact" || event.moment === "prompt";
  const reader = isRunning ? "itself" : "itself again";
  const id = isRunning ? undefined : recordInContext(textOf(event.fields, "transcript_path"));
  const known = id === undefined ? undefined : await loadIfAny(project.cairn, found.trail, { id });
  if (known !== undefined) return changesSince(project, event, { known, found });
  const introduction = [
    "Cairn kept this record of your session automatically. Where it differs from your memory, check.",
    ...earlierWork(own(found.state, "session")),
  ].join("\n");
  return brief(project, event.client, { found, introduction, reader, resume: statusCommand(found.trail) });
}

/** For a conversation that already holds a record: otherwise each resume would add another copy. */
async function changesSince(
  project: EventProject,
  { client }: HookEvent,
  { known, found }: Record<"known" | "found", Checkpoint<WorkState>>,
): Promise<string> {
  const above = `Cairn's record of your session, given to you above (checkpoint ${known.checkpoint_id}),`;
  const marked = await markInterrupted(found, viewpointOf(project, "itself again"));
  const changed = changedWork(known.state, marked);
  if (changed === undefined) return `${above} is still current.`;
  const { state, settled } = changed;
  const gone = settled === 0 ? "" : ` Blockers, failing checks or approvals that are settled: ${settled}.`;
  return brief(project, client, {
    found: { ...found, state: { ...emptyWorkState(), ...state } },
    introduction: `${above} has changed since.${gone} This is new:`,
    reader: "itself again",
    resume: statusCommand(found.trail),
  });
}

function earlierWork(session: unknown): string[] {
  const [tookOver, handedOver] = ["took_over", "handed_over"].map((name) => safeId(textOf(session, name)));
  if (tookOver !== undefined)
    return [
      `It took over unfinished work, whose open tasks are listed here as before-…; how that work was left: checkpoint load ${tookOver}`,
    ];
  if (handedOver === undefined) return [];
  return [`Before that, earlier work was handed to this session: checkpoint load ${handedOver}`];
}

/** What a new session should know about work that another one left or is still doing. */
export async function foreignBriefing(
  project: EventProject,
  event: HookEvent,
  found: Checkpoint<WorkState>,
): Promise<string> {
  const isOpen = await hasLiveAgent(found, viewpointOf(project, "another"));
  const [what, rule] = isOpen
    ? [
        "work in this project that is under way",
        "That session is still open: its tasks are its own. Leave them alone unless the user asks you to take them over.",
      ]
    : [
        "unfinished work in this project",
        "Tell the user in one sentence what is open, and continue it if they ask you to; if they ask for something else, leave it alone. If that session is still open elsewhere, its tasks are its own.",
      ];
  const introduction = `Cairn found ${what}, from ${whose(found)}, last saved at ${found.created_at}. ${rule}`;
  const resume = commandToResume(found, project.root);
  return brief(project, event.client, { found, introduction, reader: "another", resume });
}

/** The true state of the tasks, for the summary of a conversation. */
export async function summarizerBriefing(
  project: EventProject,
  event: HookEvent,
  found: Checkpoint<WorkState>,
): Promise<string> {
  const introduction = `Checkpoint ${found.checkpoint_id} holds the true state of this work. In the summary, keep its goal, constraints and instructions, the status of each task exactly as recorded, files, failing checks and next action, and this checkpoint's id.`;
  // After `/compact`, what this hook says stays in the conversation, and the record follows anyway.
  if (event.client === "claude" && textOf(event.fields, "trigger") === "manual")
    return `Cairn saved checkpoint ${found.checkpoint_id}, and will add its record to the conversation after this. In the summary, do not call a task done unless it is, and keep this checkpoint's id.`;
  return brief(project, event.client, {
    found,
    introduction,
    reader: "itself",
    resume: statusCommand(found.trail),
  });
}

const SUBAGENT = { maxTokens: 1000, maxChars: 6000, shrink: true } as const;

/** What a sub-agent should know about the work it is part of. */
export async function subagentBriefing(
  { cairn }: EventProject,
  event: HookEvent,
  found: Checkpoint<WorkState>,
): Promise<string> {
  const { state, ...checkpoint } = found;
  const { key } = await cairn.store.identity();
  const role = (event.agentType ?? "").replaceAll(/[-_:]+/g, " ").slice(0, 200);
  const family = LIMITS_OF[event.client]?.family;
  const input = { checkpoint, state, key, resumeCommand: statusCommand(found.trail) };
  return forSubagent(input, role, { ...SUBAGENT, family }).text;
}

interface BriefingInput {
  readonly found: Checkpoint<WorkState>;
  readonly introduction: string;
  readonly reader: Reader;
  readonly resume: string;
}

/** Introduction and handoff, together within the client's limit. Same input, same bytes. */
async function brief(
  project: EventProject,
  client: ClientName,
  { found, introduction, reader, resume }: BriefingInput,
): Promise<string> {
  const { state: _state, ...checkpoint } = found;
  const state = await markInterrupted(found, viewpointOf(project, reader));
  const { key } = await project.cairn.store.identity();
  const limits = LIMITS_OF[client] ?? LIMITS;
  const input = { checkpoint, state, key, resumeCommand: resume };
  const { text } = handoff(input, {
    ...limits,
    maxChars: limits.maxChars - introduction.length - 2,
    ...(limits.maxTokens === undefined ? {} : { maxTokens: limits.maxTokens - INTRODUCTION_TOKENS }),
  });
  return `${introduction}\n\n${text}`;
}

function whose({ trail, state }: Checkpoint<WorkState>): string {
  const client = clientWithId(textOf(own(state, "session"), "client"));
  const id = safeId(textOf(own(state, "session"), "id"));
  return client === undefined || id === undefined
    ? `trail ${trail}`
    : `${client.product} session ${id} (trail ${trail})`;
}
