import type { Checkpoint } from "../checkpoints/document.ts";
import type { WorkState } from "../checkpoints/work-state.ts";
import { forSubagent } from "../handoff/for-subagent.ts";
import { handoff } from "../handoff/handoff.ts";
import type { HandoffOptions } from "../handoff/options.ts";
import { own, textOf } from "../text/untrusted.ts";
import { commandToResume, idOf, statusCommand } from "./clients/command-to-resume.ts";
import type { ClientName } from "./context.ts";
import type { HookEvent } from "./events/hook-event.ts";
import { hasLiveAgent, markInterrupted, type Reader } from "./clients/interrupted.ts";
import type { BriefingPlace } from "./place.ts";
import { hasWork } from "./trails/unfinished.ts";

/** What each client lets through: beyond that it would show the model only the first lines. */
const LIMITS: Readonly<Record<ClientName, HandoffOptions>> = {
  claude: { level: "full", maxChars: 9500, shrink: true },
  codex: { maxTokens: 2500, maxChars: 9500, family: "gpt", shrink: true },
  gemini: { level: "full", maxChars: 9500, family: "gemini", shrink: true },
  opencode: { level: "full", maxChars: 9500, shrink: true },
};

/** Our own words before a handoff cost at most this much of the limit. */
const INTRODUCTION_TOKENS = 200;

/** What the agent of a session that goes on should know of its own work: after a compaction, a resume, a fork. */
export async function ownBriefing(
  place: BriefingPlace,
  event: HookEvent,
  found: Checkpoint<WorkState>,
): Promise<string | undefined> {
  if (!hasWork(found.state)) return undefined;
  const isGoingOn = textOf(event.fields, "source") === "compact" || event.moment === "prompt";
  const reader = isGoingOn ? "itself" : "itself again";
  const introduction = [
    "Cairn kept this record of your session by itself. Where it and your memory differ, check.",
    ...earlierWork(own(found.state, "session")),
  ].join("\n");
  return brief(place, event.client, { found, introduction, reader, resume: statusCommand(found.trail) });
}

function earlierWork(session: unknown): string[] {
  const [tookOver, told] = ["took_over", "handed_over"].map((name) => idOf(textOf(session, name)));
  if (tookOver !== undefined)
    return [
      `It took over unfinished work, whose open tasks are here as before-…; as it was left: checkpoint load ${tookOver}`,
    ];
  if (told === undefined) return [];
  return [`Before that, earlier work was handed to this session: checkpoint load ${told}`];
}

/** What a new session should know of the work that another one left, or is at. */
export async function foreignBriefing(
  place: BriefingPlace,
  event: HookEvent,
  found: Checkpoint<WorkState>,
): Promise<string> {
  const isOpen = await hasLiveAgent(found, { ...place, reader: "another" });
  const [what, rule] = isOpen
    ? [
        "work in this project that is under way",
        "That session is still open: its tasks are its own. Leave them alone unless the user asks you to take them over.",
      ]
    : [
        "unfinished work in this project",
        "Tell the user in a sentence what is open, and go on with it when they ask for it; when they ask for something else, leave it alone. Should that session still be open elsewhere, its tasks are its own.",
      ];
  const introduction = `Cairn found ${what}, from ${whose(found)}, last saved at ${found.created_at}. ${rule}`;
  const resume = commandToResume(found, place.root);
  return brief(place, event.client, { found, introduction, reader: "another", resume });
}

/** The truth about the tasks, for whoever summarizes the conversation. */
export async function summarizerBriefing(
  place: BriefingPlace,
  event: HookEvent,
  found: Checkpoint<WorkState>,
): Promise<string | undefined> {
  if (!hasWork(found.state)) return undefined;
  const introduction = `Checkpoint ${found.checkpoint_id} holds the true state of this work. In the summary keep its goal, constraints and instructions, the status of each task (none more done than recorded), files, failing checks and next action, and this checkpoint's id.`;
  return brief(place, event.client, {
    found,
    introduction,
    reader: "itself",
    resume: statusCommand(found.trail),
  });
}

const SUBAGENT = { maxTokens: 1000, maxChars: 6000, shrink: true } as const;

/** What a sub-agent should know of the work it is part of. */
export async function subagentBriefing(
  { cairn }: BriefingPlace,
  event: HookEvent,
  found: Checkpoint<WorkState>,
): Promise<string | undefined> {
  if (!hasWork(found.state)) return undefined;
  const { state, ...checkpoint } = found;
  const { key } = await cairn.store.identity();
  const role = (event.agentType ?? "").replaceAll(/[-_:]+/g, " ").slice(0, 200);
  const { family } = LIMITS[event.client];
  const input = { checkpoint, state, key, resumeCommand: statusCommand(found.trail) };
  return forSubagent(input, role, { ...SUBAGENT, family }).text;
}

interface Brief {
  readonly found: Checkpoint<WorkState>;
  readonly introduction: string;
  readonly reader: Reader;
  readonly resume: string;
}

/** Introduction and handoff, together within the client's limit. The same bytes as long as nothing changes. */
async function brief(
  place: BriefingPlace,
  client: ClientName,
  { found, introduction, reader, resume }: Brief,
): Promise<string> {
  const { state: _state, ...checkpoint } = found;
  const state = await markInterrupted(found, { ...place, reader });
  const { key } = await place.cairn.store.identity();
  const limits = LIMITS[client];
  const input = { checkpoint, state, key, resumeCommand: resume };
  const { text } = handoff(input, {
    ...limits,
    maxChars: (limits.maxChars ?? 9500) - introduction.length - 2,
    ...(limits.maxTokens === undefined ? {} : { maxTokens: limits.maxTokens - INTRODUCTION_TOKENS }),
  });
  return `${introduction}\n\n${text}`;
}

const PRODUCTS: Readonly<Record<string, string>> = {
  "claude-code": "Claude Code",
  codex: "Codex",
  "gemini-cli": "Gemini CLI",
  opencode: "OpenCode",
};

function whose({ trail, state }: Checkpoint<WorkState>): string {
  const client = PRODUCTS[textOf(own(state, "session"), "client") ?? ""];
  const id = idOf(textOf(own(state, "session"), "id"));
  return client === undefined || id === undefined
    ? `trail ${trail}`
    : `${client} session ${id} (trail ${trail})`;
}
