import type { CheckpointInfo } from "../checkpoints/document.ts";
import type { WorkState } from "../checkpoints/work-state.ts";
import { CheckpointError } from "../errors.ts";
import { agentName, commitWork, type Intent } from "./commit.ts";
import type { Context } from "./context.ts";
import { openToWrite } from "./open.ts";
import type { Output } from "./output.ts";
import { provenance } from "../sessions/session.ts";

export interface EditOptions {
  readonly trail?: string | undefined;
  readonly agent?: string | undefined;
  /** What is changed can only be there already: without a store nothing is created. */
  readonly mustExist?: boolean;
}

export interface Edited {
  /** Null when there was nothing to change. */
  readonly checkpoint: CheckpointInfo | null;
  readonly trail: string;
  readonly state: WorkState;
}

/** Opens the store, commits one change of the work state, and closes it: what most work commands do. */
export async function edit<Fresh extends object>(
  context: Context,
  options: EditOptions,
  output: Output,
  intent: Pick<Intent<Fresh>, "fresh" | "change" | "ifChanged"> & { readonly trigger?: string },
): Promise<Edited> {
  const { cairn, trail, settings } = await openToWrite(context, options, output);
  try {
    const place = { context, trail, settings, output };
    const { info, state } = await commitWork(place, { trigger: "manual", ...intent, agent: options.agent });
    return { checkpoint: info.unchanged ? null : info, trail: trail.name, state };
  } finally {
    await cairn.close();
  }
}

/** When and by whom something is added. */
export function signed(context: Context, agent: string | undefined): { at: string; by: string } {
  return { at: context.now().toISOString(), by: provenance(context.env, agentName(context.env, agent)) };
}

/** A text that says something. */
export function meaningful(text: string, what: string): string {
  if (text.trim() !== "") return text.trim();
  throw new CheckpointError("usage", `${what} is empty.`, { hint: "Say it in a few words, in quotes." });
}
