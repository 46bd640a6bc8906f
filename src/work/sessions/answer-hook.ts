import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { isCheckpointError, messageOf } from "../../core/errors.ts";
import { createRedactor } from "../../core/redaction/redactor.ts";
import { textOf } from "../../core/text/untrusted.ts";
import { oneLine } from "../../core/text/visible.ts";
import { readGitHead } from "../capture/git/git-head.ts";
import { CLIENTS } from "../clients/clients.ts";
import { findProjectRoot, homeFolder, isTooWide } from "../machine/folders.ts";
import { statIfAny } from "../machine/read-bounded.ts";
import { answer } from "./answer.ts";
import { captureEvent, type EventResult } from "./capture-event.ts";
import type { EventProject, HookAnswer, LentStore, SessionContext } from "./context.ts";
import {
  type HookEvent,
  isInsideAgent,
  loggableName,
  type EventKind,
  recognise,
} from "./events/hook-event.ts";
import { readContent } from "./events/read-content.ts";
import { readPayload } from "./events/read-payload.ts";
import type { SessionEvent } from "./events/session-event.ts";
import { withoutSecrets } from "./events/without-secrets.ts";
import { noteEvent } from "./logs/hook-log.ts";
import { sessionTrail } from "./session.ts";
import { countSpooled, spoolEvent } from "./spool.ts";

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
    const hook = recognise(fields, context);
    if ("ignored" in hook)
      return ignore(context, loggableName(textOf(fields, "hook_event_name") ?? "?"), hook.ignored);
    if (context.isFromModel === true && hook.moment === "prompt")
      return ignore(context, hook.name, "a tool that agents can call takes no prompts");
    const isOwnAgent = CLIENTS[hook.client].hasOwnAgents === true && hook.agentType === undefined;
    if (hook.moment === "agent-stop" && isOwnAgent) return answer(hook, {});
    return await respond(hook, context);
  } catch (error) {
    return { stdout: emptyAnswer(context), warning: `An event could not be answered: ${reasonOf(error)}` };
  }
}

async function respond(hook: HookEvent, context: SessionContext): Promise<HookAnswer> {
  const started = sessionFolder(hook, context);
  const root = findProjectRoot(started);
  const warnOnce = (warning: string, about = "warned") =>
    context.isFirst(`${about}/${hook.sessionId}`) ? warning : undefined;
  if (!isProject(root, context)) return answer(hook, { warning: warnOnce(tooWide(root)) });
  context.onEvent?.(hook, root);
  const now = context.now();
  const redactor = createRedactor(await context.secrets?.(root));
  const project = { root, folder: join(root, ".cairn"), now, context, redactor };
  // A sub-agent may work in a worktree of its own.
  const git = readGitHead((isInsideAgent(hook) && textOf(hook.fields, "cwd")) || root);
  const content = withoutSecrets(readContent(hook, { root, env: context.env, folder: started }), redactor);
  const event = { id: context.eventId, at: now.toISOString(), hook, content, git };
  const { problem, text, isSaved } = await captureInTime(event, project);
  const isSpooled = problem !== undefined && spoolEvent(project.folder, event);
  noteEvent(root, {
    at: context.now(),
    client: hook.client,
    event: hook.name,
    outcome: problem !== undefined ? (isSpooled ? "spooled" : "failed") : isSaved ? "saved" : "unchanged",
    what: problem === undefined ? sessionTrail(hook.sessionId) : reasonOf(problem),
  });
  if (problem === undefined) return answer(hook, { context: text });
  // Two warnings, each given once: that events wait, and later that they no longer can.
  const warning = warnOnce(notSaved(problem, isSpooled), isSpooled ? "spooled" : "warned");
  return answer(hook, { context: text, warning });
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
async function captureInTime(
  event: SessionEvent,
  project: Omit<EventProject, keyof LentStore>,
): Promise<EventResult> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const limitMs = limitFor(event.hook, project);
  const isLate = new Error(`the store did not answer within ${limitMs} ms.`);
  const timer = setTimeout(() => reject(isLate), limitMs);
  try {
    const session = { id: event.hook.sessionId, client: CLIENTS[event.hook.client].id };
    const capture = async (store: LentStore) => captureEvent(event, { ...project, ...store });
    return await Promise.race([project.context.withStore(project.root, capture, session), late]);
  } catch (problem) {
    return { isSaved: false, problem };
  } finally {
    clearTimeout(timer);
  }
}

function limitFor({ moment }: HookEvent, { folder, now }: Pick<EventProject, "folder" | "now">): number {
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
  const message = messageOf(error);
  return oneLine(message.slice(0, 300));
}
