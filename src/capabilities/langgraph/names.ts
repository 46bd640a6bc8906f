import type { RunnableConfig } from "@langchain/langgraph-checkpoint";
import { CheckpointError } from "../../core/errors.ts";
import { trailPart } from "../../work/sessions/session.ts";

/** What a config of LangGraph names: a thread, a subgraph's namespace in it, a checkpoint. */
export interface CheckpointAddress {
  readonly thread: string | undefined;
  readonly namespace: string;
  readonly id: string | undefined;
}

export function addressOf({ configurable = {} }: RunnableConfig): CheckpointAddress {
  const text = (field: string) => textOf(field, configurable[field]);
  return { thread: text("thread_id"), namespace: text("checkpoint_ns") ?? "", id: text("checkpoint_id") };
}

export type ThreadAddress = CheckpointAddress & { readonly thread: string };

/** The same of a config that must name these. */
export function addressIn(
  config: RunnableConfig,
  ...fields: readonly ("thread_id" | "checkpoint_id")[]
): ThreadAddress {
  const missing = fields.find((field) => textOf(field, config.configurable?.[field]) === undefined);
  if (missing === undefined) return addressOf(config) as ThreadAddress;
  throw new CheckpointError("usage", `The config names no "${missing}".`, {
    hint: `Pass it: { configurable: { ${missing}: "…" } }`,
    details: { field: missing },
  });
}

export function configOf(thread: string, namespace: string, id: string): RunnableConfig {
  return { configurable: { thread_id: thread, checkpoint_ns: namespace, checkpoint_id: id } };
}

/** A caller that takes ids from a request must not be able to ask for more than one: an object is refused. */
function textOf(field: string, value: unknown): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string" || typeof value === "number") return String(value);
  throw new CheckpointError("usage", `The "${field}" of the config is not a text.`, {
    hint: `Pass a text: { configurable: { ${field}: "…" } }`,
    details: { field, type: typeof value },
  });
}

/** The beginning of the names of all trails of threads. */
export const THREADS = "thread/";

/** The trail of a thread, or of a subgraph's namespace in it. */
export function trailOf(thread: string, namespace = ""): string {
  return namespace === ""
    ? `${THREADS}${trailPart(thread)}`
    : `${belowThread(thread)}${trailPart(namespace)}`;
}

/** The beginning of the names of the trails of a thread's subgraphs. */
export const belowThread = (thread: string) => `${trailOf(thread)}/`;
