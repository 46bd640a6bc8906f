import { CheckpointError } from "../../core/errors.ts";
import type { Json, JsonObject } from "../../core/objects/json.ts";
import { isDeepStrictEqual } from "node:util";
import { fingerprintOf } from "../../core/objects/fingerprint.ts";

/** The state of a session's trail. Never changed in place. */
export interface History {
  readonly session_id: string;
  readonly items: readonly Json[];
  /** What was already done, by the runner's own name for it. */
  readonly operations: Readonly<Record<string, string>>;
}

/** An atomic change of the history, as the runner of @openai/agents asks for it. */
export type Transaction<Item> =
  | { readonly type: "append_items"; readonly items: Item[] }
  | { readonly type: "replace_suffix"; readonly expectedSuffix: Item[]; readonly replacement: Item[] };

/** Applies a transaction once, however often it is asked for. Throws `conflict` when it is not the one that it was, or does not fit. */
export function applyOnce(history: History, operationId: string, transaction: Transaction<Json>): History {
  const name = fingerprintOf(transaction);
  const before = Object.hasOwn(history.operations, operationId) ? history.operations[operationId] : undefined;
  if (before === name) return history;
  if (before !== undefined) throw otherTransaction(operationId);
  const operations = { ...history.operations, [operationId]: name };
  return { ...history, items: itemsAfter(history.items, transaction), operations };
}

function itemsAfter(items: readonly Json[], transaction: Transaction<Json>): Json[] {
  if (transaction.type === "append_items") return [...items, ...transaction.items];
  const { expectedSuffix, replacement } = transaction;
  const start = items.length - expectedSuffix.length;
  const fits = start >= 0 && isDeepStrictEqual(items.slice(start), expectedSuffix);
  if (!fits) throw otherSuffix();
  return [...items.slice(0, start), ...replacement];
}

/** Replaces one call with another; calls of the same id that follow go. */
export function replaceCall(items: readonly Json[], callId: string, replacement: Json): Json[] {
  const isCall = (item: Json) => {
    const { type, callId: id } = (typeof item === "object" && item !== null ? item : {}) as JsonObject;
    return type === "function_call" && id === callId;
  };
  const first = items.findIndex(isCall);
  return items.flatMap((item, index) => {
    if (!isCall(item)) return [item];
    return index === first ? [replacement] : [];
  });
}

function otherTransaction(operationId: string): CheckpointError {
  return new CheckpointError(
    "conflict",
    `The operation "${operationId}" was applied before, as another one.`,
    {
      hint: "Give each change of a session's history an id of its own.",
      details: { operationId },
    },
  );
}

function otherSuffix(): CheckpointError {
  return new CheckpointError("conflict", "The session's history no longer ends as the change expects.", {
    hint: "Read the items again, then decide.",
  });
}
