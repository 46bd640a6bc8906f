import type { HookAnswer, SessionContext } from "./context.ts";

/**
 * Saves what an event of an agent client says, and answers it. Never throws and never fails the agent: what cannot be
 * understood is left alone, and when saving fails that is said once for the session.
 *
 * @param payload What the client sent: parsed JSON, its text or its bytes.
 */
export async function answerHook(payload: unknown, context: SessionContext): Promise<HookAnswer> {
  void payload;
  void context;
  return { stdout: "" };
}
