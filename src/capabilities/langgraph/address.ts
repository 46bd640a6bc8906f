import type { RunnableConfig } from "@langchain/langgraph-checkpoint";
import { CheckpointError } from "../../core/errors.ts";

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

export function configOf(thread: string, namespace: string, id: string): RunnableConfig {
  return { configurable: { thread_id: thread, checkpoint_ns: namespace, checkpoint_id: id } };
}

/** Whoever takes ids from a request must not be able to ask for more than one: an object is refused. */
function textOf(field: string, value: unknown): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  throw new CheckpointError("usage", `The "${field}" of the config is not a text.`, {
    hint: `Pass a text: { configurable: { ${field}: "…" } }`,
    details: { field, type: typeof value },
  });
}
