import { CheckpointError } from "../errors.ts";

/** Changes a draft in place, or returns a new state. Pure: it may run again, on a newer head. */
export type Updater<State> = (draft: State) => State | void;

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

function asynchronousUpdater(): CheckpointError {
  return new CheckpointError("usage", "The updater returned a promise, but it must be synchronous.", {
    hint: "Await what you need first, then commit with it: an updater may run more than once, under a lock.",
  });
}

function assertObject<State>(state: State): State {
  const isObject =
    typeof state === "object" && state !== null && !Array.isArray(state) && !("toJSON" in state);
  if (isObject) return state;
  throw new CheckpointError(
    "usage",
    `A state is a JSON object, not ${Array.isArray(state) ? "an array" : String(state)}.`,
    {
      hint: "An updater changes its draft and returns nothing, or returns a whole new state.",
    },
  );
}

function returnedPart(): CheckpointError {
  return new CheckpointError(
    "usage",
    "The updater returned a part of its draft, which would replace the whole state.",
    {
      hint: "Put the body of the updater in braces: (state) => { state.part = value; }",
    },
  );
}
