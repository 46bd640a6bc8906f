import type { CheckpointInfo, CommitNotes } from "../../core/trails/document.ts";
import type { Trail } from "../../core/trails/trail.ts";
import { emptyWorkState, type WorkState } from "../state/work-state.ts";
import { isCheckpointError, messageOf } from "../../core/errors.ts";
import { encode, recall } from "../../core/objects/encode.ts";
import type { JsonObject } from "../../core/objects/json.ts";
import { createRedactor, type Finding, type Redactor } from "../../core/redaction/redactor.ts";
import { isRecord } from "../../core/text/untrusted.ts";
import type { Environment } from "../machine/environment.ts";

/** What collectors get to see. */
export interface CollectContext {
  readonly root: string;
  readonly env: Environment;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The state before this checkpoint. Must not be changed. */
  readonly state: Readonly<WorkState>;
  /** Aborted when the collector's time is up. */
  readonly signal: AbortSignal;
}

/**
 * Brings a piece of the outside world into a checkpoint: what it returns becomes variables.
 *
 * @example
 * const queue: Collector = { name: "queue", collect: async () => ({ queue_length: await length() }) };
 */
export interface Collector {
  readonly name: string;
  readonly timeoutMs?: number;
  collect(context: CollectContext): Promise<Record<string, unknown>> | Record<string, unknown>;
}

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

interface CollectFailure {
  readonly name: string;
  readonly error: string;
}

/**
 * Saves a checkpoint of what collectors see, without the secrets in it. They run at the same time; where two bring the same
 * variable, the later one in the list wins. One that throws, takes too long, or returns what JSON cannot say is reported
 * and does not fail the others.
 *
 * @example
 * const mine = { name: "my-state", collect: () => ({ my_data: "…" }) };
 * const { checkpoint } = await capture(trail, [mine], { notes: "before deploy" });
 */
export async function capture(
  trail: Trail<WorkState>,
  collectors: readonly Collector[],
  { root = ".", env = {}, now = Date.now, redactor = createRedactor(), ...notes }: CaptureOptions = {},
): Promise<Captured> {
  const context = { root, env, now, state: await stateOf(trail) };
  const failures: CollectFailure[] = [];
  const collected = await Promise.all(
    collectors.map(async (collector) => {
      try {
        return await collect(collector, context);
      } catch (error) {
        failures.push({
          name: collector.name,
          error: messageOf(error),
        });
        return {};
      }
    }),
  );
  const variables = collected.reduce<JsonObject>((all, found) => ({ ...all, ...found }), {});
  const { value, findings } = redactor.redact({ variables });
  const text = notes.notes === undefined ? undefined : redactor.redactText(notes.notes);
  const checkpoint = await trail.commit(
    (state) => {
      state.variables = { ...state.variables, ...value.variables };
    },
    { ...notes, notes: text?.value },
  );
  return { checkpoint, failures, redacted: [...findings, ...(text?.findings ?? [])] };
}

const TIMEOUT_MS = 2000;

/** What a collector returns in time, as a copy in plain JSON: so nothing that JSON cannot say fails the whole checkpoint. */
async function collect(collector: Collector, context: Omit<CollectContext, "signal">): Promise<JsonObject> {
  const { timeoutMs = TIMEOUT_MS } = collector;
  const controller = new AbortController();
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    controller.abort();
    reject(new Error(`It took longer than ${timeoutMs} ms.`));
  }, timeoutMs);
  try {
    const found = await Promise.race([collector.collect({ ...context, signal: controller.signal }), timeout]);
    if (!isRecord(found)) throw new TypeError("It did not return an object.");
    // As deep as it will stand in the state.
    return recall(encode({ variables: found }).memory)["variables"] as JsonObject;
  } finally {
    clearTimeout(timer);
  }
}

async function stateOf(trail: Trail<WorkState>): Promise<WorkState> {
  try {
    return (await trail.load()).state;
  } catch (error) {
    if (isCheckpointError(error, "not-found")) return emptyWorkState();
    throw error;
  }
}
