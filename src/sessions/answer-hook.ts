import { existsSync } from "node:fs";
import { join } from "node:path";
import { homeFolder } from "../capture/files/home-folder.ts";
import { findProjectRoot, isTooWide } from "../capture/files/project-root.ts";
import { isCheckpointError } from "../errors.ts";
import { textOf } from "../text/untrusted.ts";
import { oneLine } from "../text/visible.ts";
import { answer } from "./answer.ts";
import { captureEvent } from "./capture-event.ts";
import type { HookAnswer, SessionContext } from "./context.ts";
import { type HookEvent, loggableName, type Moment, recognise } from "./events/hook-event.ts";
import { noteEvent } from "./clients/hook-log.ts";
import type { EventResult } from "./event-project.ts";
import { readPayload } from "./events/read-payload.ts";
import { sessionFolder } from "./clients/session-folder.ts";

/** No agent waits longer than this: more at its start, for what it should know, and less at its end. */
const LONGEST_MS = 3000;
const LONGEST_AT: Readonly<Partial<Record<Moment, number>>> = { start: 8000, end: 1200 };

/**
 * Saves what an event of an agent client says, and answers it. Never throws and never fails the agent: an unknown event
 * is ignored, and a failure to save is reported once for the session.
 *
 * @param payload What the client sent: parsed JSON, its text or its bytes.
 */
export async function answerHook(payload: unknown, context: SessionContext): Promise<HookAnswer> {
  try {
    const { fields, problem } = readPayload(payload);
    if (fields === undefined) return ignore(context, context.event ?? "?", problem);
    const event = recognise(fields, context);
    if ("ignored" in event)
      return ignore(context, loggableName(textOf(fields, "hook_event_name") ?? "?"), event.ignored);
    return isSummarizer(event) ? answer(event, {}) : await respond(event, context);
  } catch (error) {
    return { stdout: emptyAnswer(context), warning: `An event could not be answered: ${reasonOf(error)}` };
  }
}

async function respond(event: HookEvent, context: SessionContext): Promise<HookAnswer> {
  const root = findProjectRoot(sessionFolder(event, context));
  if (!isProject(root, context)) return answer(event, { warning: once(context, event, tooWide(root)) });
  const { problem, text, trail, isSaved } = await captureInTime(event, root, context);
  noteEvent(root, {
    at: context.now(),
    client: event.client,
    event: event.name,
    outcome: problem !== undefined ? "failed" : isSaved ? "saved" : "unchanged",
    what: problem === undefined ? trail : reasonOf(problem),
  });
  const warning = problem === undefined ? undefined : once(context, event, notSaved(problem));
  return answer(event, { context: text, warning });
}

/** Any failure, even a timeout, is a problem in the result. */
async function captureInTime(event: HookEvent, root: string, context: SessionContext): Promise<EventResult> {
  const { promise: late, resolve } = Promise.withResolvers<EventResult>();
  const limitMs = LONGEST_AT[event.moment] ?? LONGEST_MS;
  const failed = (problem: unknown): EventResult => ({ trail: "", isSaved: false, problem });
  const timer = setTimeout(
    () => resolve(failed(new Error(`the store did not answer within ${limitMs} ms.`))),
    limitMs,
  );
  try {
    const [folder, now] = [join(root, ".cairn"), context.now()];
    const work = context.withStore(root, async (cairn) =>
      captureEvent(event, { cairn, root, folder, now, context }),
    );
    return await Promise.race([work.catch(failed), late]);
  } catch (error) {
    return failed(error);
  } finally {
    clearTimeout(timer);
  }
}

/** To compact, Claude Code runs an agent without a type. It is not part of the work. */
function isSummarizer({ client, moment, agentType }: HookEvent): boolean {
  return client === "claude" && moment === "agent-stop" && agentType === undefined;
}

/** A store in $HOME was created on purpose. */
function isProject(root: string, { env }: SessionContext): boolean {
  return !isTooWide(root, homeFolder(env)) || existsSync(join(root, ".cairn"));
}

function ignore(context: SessionContext, event: string, why: string): HookAnswer {
  noteEvent(findProjectRoot(context.cwd), {
    at: context.now(),
    client: context.client ?? "?",
    event,
    outcome: "ignored",
    what: why,
  });
  return { stdout: emptyAnswer(context) };
}

/** Gemini CLI would show stderr as a message if the answer were empty. */
function emptyAnswer({ client }: SessionContext): string {
  return client === "gemini" ? "{}" : "";
}

/** A warning is given once for a session, not at every event. */
function once({ isFirst }: SessionContext, { sessionId }: HookEvent, warning: string): string | undefined {
  return isFirst(`warned/${sessionId}`) ? warning : undefined;
}

function notSaved(problem: unknown): string {
  const hint = isCheckpointError(problem) ? problem.hint : undefined;
  return `This session is NOT being saved: ${reasonOf(problem)} ${hint ?? "Find out why: checkpoint doctor"}`;
}

function tooWide(root: string): string {
  return `Nothing is saved in ${root}: start the agent in a project's folder, or run \`checkpoint now\` here if this is one.`;
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return oneLine(message.slice(0, 300));
}
