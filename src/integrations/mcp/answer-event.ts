import { answerHook, type HookAnswer, type SessionContext } from "../../sessions/index.ts";
import type { Desk } from "./desk.ts";

/** Who sends an event, and from where. */
export interface Sender extends Pick<SessionContext, "env" | "cwd" | "parentPid" | "client" | "event"> {
  /** Told of the project that the event belongs to. */
  readonly onProject?: ((root: string) => void) | undefined;
}

/** Saves an event with the stores that the server has open. Never fails: whoever sent it goes on either way. */
export async function answerEvent(
  desk: Desk,
  payload: unknown,
  { onProject, ...sender }: Sender,
): Promise<HookAnswer> {
  const { world, stores } = desk;
  try {
    return await answerHook(payload, {
      ...sender,
      now: world.now,
      withStore: async (root, use) => {
        onProject?.(root);
        return use(await stores.toWrite(world.findProject(root), "create"));
      },
      secrets: async (root) => {
        const { redact, redact_allow } = await world.settings(root);
        return { extraPatterns: redact, allow: redact_allow };
      },
      isFirst: (key) => desk.isFirst(key),
    });
  } catch (error) {
    const { message, hint } = world.explain(error);
    return { stdout: "", warning: `An event was not captured: ${message}${hint ? ` (${hint})` : ""}` };
  }
}
