import type { Recognition } from "../objects/encode.ts";
import type { Redactor } from "../redaction/redactor.ts";
import type { ObjectId } from "../objects/object-id.ts";
import type { Store } from "../store/contract.ts";
import type { CommitOptions, UnloadedCheckpoint } from "./document.ts";
import type { CheckpointId } from "./names.ts";

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
  /** Marks a state that is brought back if a file brought its checkpoint. */
  readonly markIfImported: <State extends object>(store: Store, id: ObjectId, state: State) => Promise<State>;
}

/** What is to be committed, and what is said about it. */
export interface PendingCommit<State> {
  readonly change: State | Updater<State>;
  readonly options: CommitOptions;
  /** The checkpoint whose state is brought back. */
  readonly restoredFrom?: CheckpointId;
  /** For a fork: the checkpoint of another trail that the first one here descends from. */
  readonly origin?: UnloadedCheckpoint;
  /** The only head that this may go on top of: `conflict` if it is another one. */
  readonly on?: { readonly head: ObjectId | undefined } | undefined;
}
