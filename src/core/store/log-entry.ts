import type { JsonObject } from "../objects/json.ts";

/**
 * An entry of a store's log, which only grows. Their order is that of the store's own chain; after each of its entries come
 * those of the trails' chains that follow it, by trail and number. Where one commit at a time can write, there is only the
 * store's own chain.
 */
export interface LogEntry {
  /** 1 for the first of its chain, then one more each. */
  readonly number: number;
  /** As it is stored, letter for letter: what the hash covers. */
  readonly text: string;
  /** What the text says. */
  readonly entry: JsonObject;
  /** SHA-256, in hex, over all before it in its chain: see log-chain.ts. */
  readonly hash: string;
  /** The trail whose chain it is in; absent for the store's own. */
  readonly trail?: string;
  /** In a trail's chain: the entry of the store's chain that it follows. The next one of that chain comes after it. */
  readonly after?: number;
}

/** An entry's number, and the hash that covers everything up to it. */
export type LogHead = Pick<LogEntry, "number" | "hash">;

export interface LogPage {
  /** An entry of the store's own chain, or any entry. */
  readonly after?: number | LogEntry;
  readonly limit?: number;
  /** The last entries of trails' chains that the caller has: they, and those before them, are left out. */
  readonly seen?: readonly Pick<LogEntry, "trail" | "number">[];
}
