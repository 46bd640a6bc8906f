import { emptyWorkState, type WorkState } from "../checkpoints/work-state.ts";
import { encode, recall } from "../objects/encode.ts";
import { isRecord } from "../text/untrusted.ts";
import type { Environment } from "./environment.ts";
import type { StatePatch } from "./state-patch.ts";

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
 * Brings a piece of the outside world into a checkpoint.
 *
 * @example
 * const queue: Collector = {
 *   name: "queue",
 *   async collect() { return { variables: { queue_length: await length() } }; },
 * };
 */
export interface Collector {
  readonly name: string;
  readonly timeoutMs?: number;
  collect(context: CollectContext): Promise<StatePatch> | StatePatch;
}

export interface CollectFailure {
  readonly name: string;
  readonly error: string;
}

export interface Collected {
  /** What the collectors brought, in the order of the list and not of their arrival. */
  readonly patches: readonly StatePatch[];
  /** Collectors that brought nothing, and why. Their fields stay as they were. */
  readonly failures: CollectFailure[];
}

const TIMEOUT_MS = 2000;

/**
 * Runs all collectors at the same time. One that throws, takes too long, or returns what JSON cannot say is
 * reported and does not fail the others. Never rejects.
 */
export async function collect(
  collectors: readonly Collector[],
  context: Omit<CollectContext, "signal">,
): Promise<Collected> {
  const results = await Promise.all(collectors.map(async (collector) => runCollector(collector, context)));
  return {
    patches: results.flatMap((result) => ("patch" in result ? [result.patch] : [])),
    failures: results.flatMap((result) => ("failure" in result ? [result.failure] : [])),
  };
}

/**
 * A collector whose keys become variables of the checkpoint.
 *
 * @example
 * const mine = variablesCollector("my-state", () => ({ my_data: "…" }));
 */
export function variablesCollector(
  name: string,
  read: (context: CollectContext) => Promise<Record<string, unknown>> | Record<string, unknown>,
): Collector {
  return { name, collect: async (context) => ({ variables: objectOf(await read(context)) }) };
}

type CollectResult = { readonly patch: StatePatch } | { readonly failure: CollectFailure };

async function runCollector(
  collector: Collector,
  context: Omit<CollectContext, "signal">,
): Promise<CollectResult> {
  const { name, timeoutMs = TIMEOUT_MS } = collector;
  const controller = new AbortController();
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    controller.abort();
    reject(new Error(`It took longer than ${timeoutMs} ms.`));
  }, timeoutMs);
  try {
    const started = Promise.resolve().then(async () =>
      collector.collect({ ...context, signal: controller.signal }),
    );
    return { patch: checkShape(objectOf(await Promise.race([started, timeout]))) };
  } catch (error) {
    return { failure: { name, error: error instanceof Error ? error.message : String(error) } };
  } finally {
    clearTimeout(timer);
  }
}

/** Throws if a patch would put something else where readers of a state expect a list or a map. */
function checkShape(patch: StatePatch): StatePatch {
  for (const [field, expected] of Object.entries(emptyWorkState())) {
    if (!Object.hasOwn(patch, field)) continue;
    const isRight = Array.isArray(expected) ? Array.isArray(patch[field]) : isRecord(patch[field]);
    if (!isRight)
      throw new TypeError(`Its "${field}" is not ${Array.isArray(expected) ? "a list" : "an object"}.`);
  }
  return patch;
}

/** A copy in plain JSON. Throws with the path of what JSON cannot say, before that could fail the whole checkpoint. */
function objectOf(value: unknown): WorkState["variables"] {
  if (!isRecord(value)) throw new TypeError("It did not return an object.");
  return recall(encode(value).memory);
}
