import type { Recognition } from "../objects/encode.ts";
import type { Redactor } from "../redaction/redactor.ts";
import type { Store } from "../store/contract.ts";

/** Changes a draft in place, or returns a new state. Pure: it may run again, on a newer head. */
export type Updater<State> = (draft: State) => State | void;

export interface TrailOptions<State> {
  /** The state that the first updater starts from. */
  readonly initial?: State;
  /** How unchanged parts are recognised; `identity` only for states that are never mutated. */
  readonly recognition?: Recognition;
  /** Whether a commit recreates the trail after it was removed. Otherwise it is a `conflict`. */
  readonly revives?: boolean;
  /** Takes secrets out of states and notes before they are stored. Without one they are kept exactly as given. */
  readonly redactor?: Redactor;
}

export interface TrailContext {
  readonly store: Store;
  readonly now: () => Date;
  /** Called with work that must finish before the store is closed. */
  readonly underway: (work: Promise<unknown>) => void;
}
