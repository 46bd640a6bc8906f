import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { findProjectRoot, homeFolder, isTooWide } from "../machine/folders.ts";
import { statIfAny } from "../machine/read-bounded.ts";
import { isCheckpointError } from "../../core/errors.ts";
import { textOf } from "../../core/text/untrusted.ts";
import { oneLine } from "../../core/text/visible.ts";
import { answer } from "./answer.ts";
import { captureEvent } from "./capture-event.ts";
import { CLIENTS } from "../clients/clients.ts";
import type { HookAnswer, LentStore, SessionContext } from "./context.ts";
import { type HookEvent, loggableName, type EventKind, recognise } from "./events/hook-event.ts";
import { noteEvent } from "./logs/hook-log.ts";
import { type EventPlace, type EventResult, reduceContext } from "./event-project.ts";
import type { EventFacts } from "./events/facts.ts";
import { readFacts } from "./events/read-facts.ts";
import { withoutSecrets } from "./events/without-secrets.ts";
import { countSpooled, spoolEvent } from "./spool.ts";
import { readPayload } from "./events/read-payload.ts";

/**
 * The longest that an agent waits: longer at its start, for what it should know, and shorter at its end. With the four seconds
 * that an event may take to arrive, it is over before a client loses patience, which takes ten.
 */
const LONGEST_MS = 3000;
const LONGEST_AT: Readonly<Partial<Record<EventKind, number>>> = { start: 6000, end: 1200 };
/** If another event could not be saved a moment ago, this one would wait for the same lock, so it waits less. */
const LONGEST_BEHIND_OTHERS_MS = 300;
const JUST_NOW_MS = 60_000;

/**
 * Saves what an event of an agent client says, and answers it. Never throws and never fails the agent: an unknown event
 * is ignored, and a failure to save is reported once for the session.
 *
 * @param payload What the client sent: parsed JSON, its text or its bytes.
 */
export async function answerHook(payload: unknown, context: SessionContext): Promise<HookAnswer> {
  try {
    const { fields, problem } = readPayload(payload);
    if (fields === undefined) return ignore(context, "?", problem);
    const event = recognise(fields, context);
    if ("ignored" in event)
      return ignore(context, loggableName(textOf(fields, "hook_event_name") ?? "?"), event.ignored);
    if (context.isFromModel === true && event.moment === "prompt")
      return ignore(context, event.name, "a tool that agents can call takes no prompts");
    const isOwnAgent = CLIENTS[event.client].hasOwnAgents === true && event.agentType === undefined;
    if (event.moment === "agent-stop" && isOwnAgent) return answer(event, {});
    return await respond(event, context);
  } catch (error) {
    return { stdout: emptyAnswer(context), warning: `An event could not be answered: ${reasonOf(error)}` };
  }
}

async function respond(event: HookEvent, context: SessionContext): Promise<HookAnswer> {
  const started = sessionFolder(event, context);
  const root = findProjectRoot(started);
  if (!isProject(root, context)) return answer(event, { warning: once(context, event, tooWide(root)) });
  const [folder, now] = [join(root, ".cairn"), context.now()];
  const facts = withoutSecrets(
    readFacts(event, { root, env: context.env, folder: started }),
    await context.secrets?.(root),
  );
  const place = { root, folder, now, context };
  const { problem, text, trail, isSaved } = await captureInTime(event, facts, place);
  const isSpooled = problem !== undefined && spool(event, facts, place);
  noteEvent(root, {
    at: context.now(),
    client: event.client,
    event: event.name,
    outcome: problem !== undefined ? (isSpooled ? "spooled" : "failed") : isSaved ? "saved" : "unchanged",
    what: problem === undefined ? trail : reasonOf(problem),
  });
  // Two warnings, each given once: that events wait, and later that they no longer can.
  const about = isSpooled ? "spooled" : "warned";
  const warning =
    problem === undefined ? undefined : once(context, event, notSaved(problem, isSpooled), about);
  return answer(event, { context: text, warning });
}

function spool(event: HookEvent, facts: EventFacts, place: EventPlace): boolean {
  const { eventId: id, at, git } = reduceContext(event, place);
  return spoolEvent(place.folder, { id, at, event, facts, git });
}

/**
 * The folder that the session was started in, as far as is known. The one that the client names wins over the current
 * one: an agent may change into other repositories without leaving its session.
 */
function sessionFolder({ client, fields }: HookEvent, { env, cwd }: SessionContext): string {
  const isFolder = (path: string) => isAbsolute(path) && statIfAny(path)?.isDirectory() === true;
  const named = [env[CLIENTS[client].folderVariable ?? ""], textOf(fields, "cwd")];
  return named.find((folder) => folder !== undefined && isFolder(folder)) ?? cwd;
}

/** Never throws: a failure or a timeout is the `problem` of the result. */
async function captureInTime(event: HookEvent, facts: EventFacts, place: EventPlace): Promise<EventResult> {
  const { root, folder, context } = place;
  const { promise: late, reject } = Promise.withResolvers<never>();
  const limitMs = limitFor(event, folder, place.now);
  const isLate = new Error(`the store did not answer within ${limitMs} ms.`);
  const timer = setTimeout(() => reject(isLate), limitMs);
  try {
    const session = { id: event.sessionId, client: CLIENTS[event.client].id };
    const capture = async (store: LentStore) => captureEvent(event, facts, { ...place, ...store });
    return await Promise.race([context.withStore(root, capture, session), late]);
  } catch (problem) {
    return { trail: "", isSaved: false, problem };
  } finally {
    clearTimeout(timer);
  }
}

function limitFor({ moment }: HookEvent, folder: string, now: Date): number {
  const { newest } = countSpooled(folder);
  const isBehind = newest !== undefined && Math.abs(now.getTime() - newest.getTime()) < JUST_NOW_MS;
  return isBehind ? LONGEST_BEHIND_OTHERS_MS : (LONGEST_AT[moment] ?? LONGEST_MS);
}

/** A store in $HOME was created on purpose. */
function isProject(root: string, { env }: SessionContext): boolean {
  return !isTooWide(root, homeFolder(env)) || existsSync(join(root, ".cairn"));
}

function ignore(context: SessionContext, event: string, why: string): HookAnswer {
  const [at, client] = [context.now(), context.client ?? "?"];
  noteEvent(findProjectRoot(context.cwd), { at, client, event, outcome: "ignored", what: why });
  return { stdout: emptyAnswer(context) };
}

function emptyAnswer({ client }: SessionContext): string {
  return (client && CLIENTS[client].emptyAnswer) ?? "";
}

/** A warning is given once for a session, not at every event. */
function once(
  { isFirst }: SessionContext,
  { sessionId }: HookEvent,
  warning: string,
  about = "warned",
): string | undefined {
  return isFirst(`${about}/${sessionId}`) ? warning : undefined;
}

function notSaved(problem: unknown, isSpooled: boolean): string {
  const hint = isCheckpointError(problem) ? problem.hint : undefined;
  if (isSpooled)
    return `The store cannot be written: ${[reasonOf(problem), hint].filter(Boolean).join(" ")} Events wait in .cairn/spool until it can.`;
  return `This session is NOT being saved: ${reasonOf(problem)} ${hint ?? "Find out why: checkpoint doctor"}`;
}

function tooWide(root: string): string {
  return `Nothing is saved in ${root}: start the agent in a project's folder, or run \`checkpoint now\` here if this is one.`;
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return oneLine(message.slice(0, 300));
}
