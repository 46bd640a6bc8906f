import { asynchronousUpdater, notAnObject, returnedPart } from "./trail-errors.ts";
import type { Updater } from "./trail-options.ts";

/** The state after a change: the given one, or what an updater makes of a draft. */
export function applyChange<State extends object>(
  change: State | Updater<State>,
  freshDraft: () => State,
): State {
  if (typeof change !== "function") return assertObject(change);
  const draft = freshDraft();
  const result: unknown = change(draft);
  if (result === undefined || result === draft) return draft;
  if (result instanceof Promise) throw asynchronousUpdater();
  // `(state) => (state.part = …)` means the part, but would replace the whole.
  if (Object.values(draft).includes(result)) throw returnedPart();
  return assertObject(result as State);
}

function assertObject<State>(state: State): State {
  const isObject = typeof state === "object" && state !== null && !Array.isArray(state);
  const hasToJson = isObject && typeof (state as { toJSON?: unknown }).toJSON === "function";
  if (isObject && !hasToJson) return state;
  throw notAnObject(state, hasToJson);
}
