import { randomUUID } from "node:crypto";
import type { WorkflowContext } from "../context.ts";
import type { Json } from "../../../core/objects/json.ts";
import type { Run } from "../run/run-state.ts";
import { addSignal } from "../run/signals.ts";
import { changeRun } from "./change-run.ts";

export interface SignalOptions {
  readonly name: string;
  /** The result of the step that waits for it; null unless given. */
  readonly data?: Json | undefined;
  /** Makes sending again harmless: a signal with the same id is there once. */
  readonly id?: string | undefined;
}

/** Sends a signal to a run, durable when it resolves. One that comes before its step waits for it; each is taken once. */
export async function sendSignal(
  context: Pick<WorkflowContext, "cairn" | "now" | "actor">,
  run: string,
  { name, data = null, id = randomUUID() }: SignalOptions,
): Promise<{ readonly run: Run; readonly isNew: boolean }> {
  let isNew = false;
  const changed = await changeRun(context, run, async (before) => {
    const at = context.now().toISOString();
    const after = addSignal(before, { id, name, data, by: context.actor ?? "person", at });
    isNew = after !== before;
    if (!isNew) return undefined;
    return { run: { ...after, updated_at: at }, trigger: "run", notes: `${before.workflow}: signal ${name}` };
  });
  return { run: changed, isNew };
}
