import { secretMemory } from "../settings/secret-memory.ts";
import { join } from "node:path";
import type { RedactorOptions } from "../../../core/redaction/redactor.ts";
import { answerHook } from "../../sessions/answer-hook.ts";
import type { HookAnswer, SessionContext } from "../../sessions/context.ts";
import { readPayload } from "../../sessions/events/read-payload.ts";
import { textOf } from "../../../core/text/untrusted.ts";
import { actorOf } from "../actor.ts";
import { findConfigured } from "../find-project.ts";
import { findPart } from "../capability.ts";
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
  /** Told of the project that the event belongs to. */
  readonly onProject?: ((root: string) => void) | undefined;
}

/** Saves an event of an agent's session, and answers it. Never fails the agent. */
export async function sessionEvent(
  world: EventWorld,
  payload: unknown,
  { onProject, ...sender }: EventSender,
): Promise<HookAnswer> {
  const { fields } = readPayload(payload);
  if (textOf(fields, "hook_event_name") === "PreToolUse") {
    const gated = await toolCall(world, fields, sender);
    if (gated !== undefined) return { stdout: gated };
  }
  let warning: string | undefined;
  const warnOnce = (said: string) => {
    if (isFirstTime(world, said)) warning = said;
  };
  const answer = await answerHook(fields ?? payload, {
    ...sender,
    now: world.now,
    briefingEnds: world.capabilities.flatMap(({ briefing }) => briefing ?? []),
    withStore: async (root, use, session) => {
      onProject?.(root);
      const found = await findConfigured(root, world.env, warnOnce);
      const project = { ...world, ...found, actor: actorOf(sender.env, { session }) };
      return use(lentStore(await world.stores.open(project, "create", "session.capture")));
    },
    secrets: (root) => ownSecrets(world, root, warnOnce),
    isFirst: (key) => isFirstTime(world, key),
  });
  return warning === undefined ? answer : { ...answer, warning: answer.warning ?? warning };
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
