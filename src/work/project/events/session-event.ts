import { messageOf } from "../../../core/errors.ts";
import { secretMemory } from "../settings/secret-memory.ts";
import { join } from "node:path";
import type { RedactorOptions } from "../../../core/redaction/redactor.ts";
import { answerHook } from "../../sessions/answer-hook.ts";
import type { HookAnswer, SessionContext } from "../../sessions/context.ts";
import { readPayload } from "../../sessions/events/read-payload.ts";
import { asRecord, own, textOf } from "../../../core/text/untrusted.ts";
import { actorOf } from "../actor.ts";
import { findConfigured } from "../find-project.ts";
import { findPart } from "../capability.ts";
import { CLIENTS } from "../../clients/clients.ts";
import { clientOfEvent } from "../../clients/find-client.ts";
import { findProjectRoot } from "../../machine/folders.ts";
import type { HookEvent } from "../../sessions/events/hook-event.ts";
import type { Session } from "../../sessions/session.ts";
import type { Project } from "../project.ts";
import type { EventWorld, ToolCaller } from "../gate.ts";
import { isFirstTime } from "../remembered.ts";
import { lentStore } from "./lent-store.ts";
import { notAccepted } from "../settings/accepted-patterns.ts";
import { maySet, PROJECT_FILE, readSettings } from "../settings/settings.ts";

/** Who sends an event, and from where. */
export interface EventSender extends Pick<
  SessionContext,
  "env" | "cwd" | "eventId" | "parentPid" | "client" | "isFromModel"
> {
  /** Whether a server hears the event, which has time once it has answered. */
  readonly isServed?: boolean | undefined;
  /** Told of the project that the event belongs to. */
  readonly onProject?: ((root: string) => void) | undefined;
}

/** Saves an event of an agent's session, and answers it. Never fails the agent. */
export async function sessionEvent(
  world: EventWorld,
  payload: unknown,
  { onProject, isServed = false, ...sender }: EventSender,
): Promise<HookAnswer> {
  const { fields } = readPayload(payload);
  if (textOf(fields, "hook_event_name") === "PreToolUse") {
    await beforeTool(world, fields, { ...sender, isServed });
    // Through the tool that agents can call too, only the files are looked at: the gate has a hook of its own, and records each call once.
    if (sender.isFromModel === true) return { stdout: "" };
    const gated = await toolCall(world, fields, sender);
    if (gated !== undefined) return { stdout: gated };
  }
  let warning: string | undefined;
  let heard: { readonly hook: HookEvent; readonly root: string } | undefined;
  const warnOnce = (said: string) => {
    if (isFirstTime(world, said)) warning = said;
  };
  const answer = await answerHook(fields ?? payload, {
    ...sender,
    now: world.now,
    briefingEnds: (root, trail) => briefingEnds(world, { root, trail, env: sender.env }),
    withStore: async (root, use, session) => {
      onProject?.(root);
      const found = await findConfigured(root, world.env, warnOnce);
      const project = { ...world, ...found, actor: actorOf(sender.env, { session }) };
      return use(lentStore(await world.stores.open(project, "create", "session.capture")));
    },
    onEvent: (hook, root) => (heard = { hook, root }),
    secrets: (root) => ownSecrets(world, root, warnOnce),
    isFirst: (key) => isFirstTime(world, key),
  });
  const after = heard && afterEvent(world, heard.hook, { root: heard.root, env: sender.env, isServed });
  const said = warning === undefined ? answer : { ...answer, warning: answer.warning ?? warning };
  return after === undefined ? said : { ...said, after };
}

/** What capabilities end a briefing with: a line each, and advice where the user's own config says so. */
async function briefingEnds(
  world: EventWorld,
  { root, trail, env }: Pick<EventSender, "env"> & { readonly root: string; readonly trail: string },
): Promise<string[]> {
  const lines = world.capabilities.flatMap(({ briefing }) => briefing ?? []);
  if (!maySet("suggestions", world, root)) return lines;
  try {
    const { suggestions = false } = await readSettings(world, root);
    const advise = suggestions ? await findPart(world, "advice") : undefined;
    if (advise === undefined) return lines;
    const project = { ...world, ...(await findConfigured(root, world.env)), actor: actorOf(env, {}) };
    return [...lines, ...(await advise(project, trail))];
  } catch (error) {
    world.notices.warning(`No suggestions: ${error instanceof Error ? error.message : String(error)}`);
    return lines;
  }
}

interface HeardFrom extends Pick<EventSender, "env" | "isServed"> {
  readonly root: string;
}

/** What capabilities do about an event once it is answered; undefined, and nothing is loaded, where none wants it. */
function afterEvent(
  world: EventWorld,
  hook: HookEvent,
  { root, env, isServed = false }: HeardFrom,
): (() => Promise<void>) | undefined {
  const { moment, client, sessionId } = hook;
  const wanting = world.capabilities.flatMap(({ events }) =>
    events?.wants({ moment, isServed }) ? [events] : [],
  );
  if (wanting.length === 0) return undefined;
  return async () => {
    try {
      const project = await projectOfEvent(world, root, env, { id: sessionId, client: CLIENTS[client].id });
      for (const { load } of wanting) await (await load()).after(project, hook, { isServed });
    } catch (error) {
      world.notices.warning(`After ${hook.name}: ${messageOf(error)}`);
    }
  };
}

/** A tool is about to be called: what capabilities do about that is done, or given up, before it is. */
async function beforeTool(
  world: EventWorld,
  fields: unknown,
  sender: Pick<EventSender, "env" | "cwd" | "client" | "isServed">,
): Promise<void> {
  const { env, cwd, isServed = false } = sender;
  const command = textOf(own(fields, "tool_input"), "command") ?? "";
  const wanting = world.capabilities.flatMap(({ events }) =>
    events?.wants({ moment: "before-tool", isServed, command }) ? [events] : [],
  );
  const sessionId = textOf(fields, "session_id");
  if (wanting.length === 0 || sessionId === undefined) return;
  try {
    const client = sender.client ?? clientOfEvent(asRecord(fields) ?? {}, env);
    const root = findProjectRoot(env[CLIENTS[client].folderVariable ?? ""] ?? textOf(fields, "cwd") ?? cwd);
    const call = { client, sessionId, tool: textOf(fields, "tool_name") ?? "", command };
    const project = await projectOfEvent(world, root, env, { id: sessionId, client: CLIENTS[client].id });
    for (const { load } of wanting) await (await load()).before(project, call);
  } catch (error) {
    world.notices.warning(`Before a tool: ${messageOf(error)}`);
  }
}

async function projectOfEvent(
  world: EventWorld,
  root: string,
  env: EventSender["env"],
  session: Session,
): Promise<Project> {
  const found = await findConfigured(root, world.env);
  return { ...world, ...found, actor: actorOf(env, { session }) };
}

/** What the gate says of a tool call that is about to happen, as the client reads it; undefined where nothing is governed. */
export async function toolCall(
  world: EventWorld,
  payload: unknown,
  asker: ToolCaller,
): Promise<string | undefined> {
  return (await findPart(world, "gate"))?.answerToolCall(world, payload, asker);
}

async function ownSecrets(
  world: EventWorld,
  root: string,
  warn: (warning: string) => void,
): Promise<RedactorOptions> {
  const memory = secretMemory({ env: world.env, root, now: world.now });
  if (!maySet("redact", world, root)) return { memory };
  const { redact, redact_allow, unaccepted } = await readSettings(world, root);
  if (unaccepted.length > 0) warn(notAccepted(join(root, PROJECT_FILE), unaccepted));
  return { extraPatterns: redact, allow: redact_allow, memory };
}
