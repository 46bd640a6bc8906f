import { hash as digestOf } from "node:crypto";
import { CheckpointError } from "../errors.ts";
import type { JsonObject } from "../objects/json.ts";
import type { Damage, LogEntry, LogHead } from "./contract.ts";

/** An entry as it is stored. */
export type ChainedEntry = Omit<LogEntry, "entry">;

/** In the chain of a trail, or in the store's own, which has no name; with the one before it there, if there is one. */
export interface PlacedEntry extends Required<ChainedEntry> {
  readonly last: number | null;
  readonly last_hash: string | null;
}

/** Continues the log: each entry's hash covers all before it, and the first one the store's id. */
export function chainEntries(
  storeId: string,
  last: LogHead | undefined,
  entries: readonly JsonObject[],
): ChainedEntry[] {
  const chained: ChainedEntry[] = [];
  for (const entry of entries) {
    const before = chained.at(-1) ?? last;
    const text = JSON.stringify(entry);
    chained.push({ number: (before?.number ?? 0) + 1, text, hash: hashOf(before?.hash ?? storeId, text) });
  }
  return chained;
}

/** Where the chain breaks, if it does: an entry was changed, taken out or put in. */
export function logDamage(storeId: string, log: Iterable<ChainedEntry>): Damage[] {
  const broken = firstBroken({ number: 0, hash: storeId }, log);
  return broken === undefined ? [] : [{ kind: "log", what: brokenWords(broken), costs: [] }];
}

/**
 * What was appended after an entry. `rows` begin with that entry, if there is one, because the next hash covers it. Throws
 * `corrupt` where the chain breaks.
 */
export function entriesAfter(storeId: string, after: number, rows: readonly ChainedEntry[]): LogEntry[] {
  const [before, entries] = after > 0 ? [rows[0], rows.slice(1)] : [{ number: 0, hash: storeId }, rows];
  if (before === undefined) return [];
  const broken = before.number === after ? firstBroken(before, entries) : after;
  if (broken !== undefined) throw brokenChain({ entry: broken, whole: broken - after - 1 });
  return entries.map(toLogEntry);
}

/** Entries of several chains. Throws `corrupt` at the first that does not continue its chain. */
export function wholeEntries(storeId: string, rows: readonly PlacedEntry[]): LogEntry[] {
  for (const [whole, { number, text, hash, trail, after, last, last_hash }] of rows.entries()) {
    const [start, said] = trail === "" ? [storeId, text] : [`${storeId} ${trail}`, `${after}\n${text}`];
    // The hash of an entry in the store's own chain does not cover its place, which is its number.
    const isInPlace = trail !== "" || after === number;
    if (isInPlace && (last ?? 0) === number - 1 && hash === hashOf(last_hash ?? start, said)) continue;
    throw brokenChain({ entry: (last ?? 0) + 1, ...(trail === "" ? {} : { trail }), whole });
  }
  return rows.map(toLogEntry);
}

/** Which entry breaks its chain, and how many of those that were asked for come before it. */
function brokenChain(details: { entry: number; trail?: string; whole: number }): CheckpointError {
  const { entry, trail } = details;
  return new CheckpointError("corrupt", brokenWords(entry, trail), { hint: "checkpoint verify", details });
}

function firstBroken(before: LogHead, entries: Iterable<ChainedEntry>): number | undefined {
  let { number, hash } = before;
  for (const entry of entries) {
    hash = hashOf(hash, entry.text);
    if (entry.number !== ++number || entry.hash !== hash) return number;
  }
  return undefined;
}

const brokenWords = (number: number, trail?: string) =>
  `The log${trail === undefined ? "" : ` of trail "${trail}"`} is damaged from entry ${number} on.`;

/** Anybody who can write to the store can put in what is no object, with the right hash: `whole` entries come before it. */
export function toLogEntry({ number, text, hash, trail, after }: ChainedEntry, whole = 0): LogEntry {
  const entry = parsedObject(text);
  if (entry === undefined) throw brokenChain({ entry: number, ...(trail ? { trail } : {}), whole });
  const own = { number, hash, text, entry };
  return !trail || after === undefined ? own : { ...own, trail, after };
}

function parsedObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

const hashOf = (before: string, text: string) => digestOf("sha256", `${before}\n${text}`, "hex");
