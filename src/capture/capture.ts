import type { CheckpointInfo, CommitNotes } from "../checkpoints/document.ts";
import { createRedactor, type Finding, type Redactor } from "../redaction/redactor.ts";
import type { Trail } from "../checkpoints/trail.ts";
import { emptyWorkState, type WorkState } from "../checkpoints/work-state.ts";
import { isCheckpointError } from "../errors.ts";
import type { JsonObject } from "../objects/json.ts";
import { collect, type Collector, type CollectFailure } from "./collect.ts";
import type { Environment } from "./environment.ts";
import { applyPatches } from "./state-patch.ts";

export interface CaptureOptions extends CommitNotes {
  /** The folder of the project, for collectors that look at files. */
  readonly root?: string;
  readonly env?: Environment;
  readonly now?: () => number;
  /** Takes secrets out of what was collected. Default: the built-in one. */
  readonly redactor?: Redactor;
}

export interface Captured {
  readonly checkpoint: CheckpointInfo;
  /** Collectors that brought nothing, and why. */
  readonly failures: readonly CollectFailure[];
  /** Where secrets were taken out. */
  readonly redacted: readonly Finding[];
}

/**
 * Saves a checkpoint of what collectors see, without the secrets in it.
 *
 * @example
 * const mine = variablesCollector("my-state", () => ({ my_data: "…" }));
 * const { checkpoint } = await capture(trail, [mine], { notes: "before deploy" });
 */
export async function capture(
  trail: Trail<WorkState>,
  collectors: readonly Collector[],
  { root = ".", env = {}, now = Date.now, redactor = createRedactor(), ...notes }: CaptureOptions = {},
): Promise<Captured> {
  const { patches, failures } = await collect(collectors, { root, env, now, state: await stateOf(trail) });
  const text = notes.notes === undefined ? undefined : redactor.redactText(notes.notes);
  let redacted: readonly Finding[] = [];
  const checkpoint = await trail.commit(
    (state) => {
      const found = redactor.redact(applyPatches(state, patches) as JsonObject);
      redacted = found.findings;
      return found.value as unknown as WorkState;
    },
    { ...notes, notes: text?.value },
  );
  return { checkpoint, failures, redacted: [...redacted, ...(text?.findings ?? [])] };
}

async function stateOf(trail: Trail<WorkState>): Promise<WorkState> {
  try {
    return (await trail.load()).state;
  } catch (error) {
    if (isCheckpointError(error, "not-found")) return emptyWorkState();
    throw error;
  }
}
