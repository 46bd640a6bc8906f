import type { JsonObject } from "../../../core/objects/json.ts";
import type { LogEntry } from "../../../core/store/contract.ts";
import type { CheckpointInfo } from "../../../core/trails/document.ts";

/** What consumers choose by. A notice is about the cursor itself, and comes whatever was chosen. */
export const FEED_KINDS = ["commit", "session", "run", "approval", "violation", "breaker"] as const;

export type FeedKind = (typeof FEED_KINDS)[number];

/** What happened, in the words of the part that knows about it. */
export type FeedNews =
  | { readonly kind: "commit"; readonly type: "committed"; readonly checkpoint: CheckpointInfo }
  | {
      readonly kind: "session";
      readonly type: "session-started" | "session-prompted" | "session-stopped" | "session-ended";
      readonly session: string;
      readonly client: string | null;
    }
  /** `RunEvent` without what belongs into its envelope: run-started, step-completed, run-ended … */
  | { readonly kind: "run"; readonly type: string; readonly run: string; readonly details: JsonObject }
  /** Asked and decided: in a run (`approval-asked`, `approval-decided`), or at the gate (`request`, `approval`). */
  | { readonly kind: "approval"; readonly type: string; readonly run?: string; readonly details: JsonObject }
  | { readonly kind: "violation"; readonly type: "violation"; readonly details: JsonObject }
  | {
      readonly kind: "breaker";
      readonly type: "breaker-opened" | "breaker-closed";
      readonly dependency: string;
    }
  /** The cursor does not fit the store: what was done about it, and what may have been missed. */
  | { readonly kind: "notice"; readonly type: "restored" | "pruned"; readonly message: string };

/** Something that happened in a store, as every consumer is told of it. */
export type FeedEvent = FeedNews & {
  /** Equal whenever the same event is told again: a consumer drops what it has seen. */
  readonly id: string;
  /** Where a consumer stands that has dealt with this event and all before it. Opaque. */
  readonly cursor: string;
  readonly at: string;
  /** The trail that it happened on; null for what concerns the whole store. */
  readonly trail: string | null;
};

/** What a capability tells of commits and of the store's log, besides that they were made. */
export interface FeedSource {
  /** The kinds of news that it has. */
  readonly kinds: readonly FeedKind[];
  /** Whether it understands the states of this trail. */
  readonly reads: (trail: string) => boolean;
  /** What changed between two states of such a trail; the first has none before it. */
  readonly ofCommit?: (before: JsonObject | undefined, after: JsonObject) => readonly FeedNews[];
  readonly ofEntry?: (entry: LogEntry) => FeedNews | undefined;
}
