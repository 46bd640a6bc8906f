import { hash as digestOf } from "node:crypto";
import { CheckpointError } from "../errors.ts";
import type { JsonObject } from "../objects/json.ts";
import type { Damage, LogEntry } from "./contract.ts";

/** An entry as it is stored: its text is what is hashed. */
export interface ChainedEntry {
  readonly number: number;
  readonly text: string;
  readonly hash: string;
}

/** Continues the log: each entry's hash covers all before it, and the first one the store's id. */
export function chainEntries(
  storeId: string,
  last: ChainedEntry | undefined,
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
  if (broken !== undefined)
    throw new CheckpointError("corrupt", brokenWords(broken), {
      hint: "checkpoint verify",
      details: { entry: broken },
    });
  return entries.map(toLogEntry);
}

function firstBroken(
  before: Pick<ChainedEntry, "number" | "hash">,
  entries: Iterable<ChainedEntry>,
): number | undefined {
  let { number, hash } = before;
  for (const entry of entries) {
    hash = hashOf(hash, entry.text);
    if (entry.number !== ++number || entry.hash !== hash) return number;
  }
  return undefined;
}

const brokenWords = (number: number) => `The log is damaged from entry ${number} on.`;

export function toLogEntry({ number, text, hash }: ChainedEntry): LogEntry {
  return { number, hash, entry: JSON.parse(text) as JsonObject };
}

const hashOf = (before: string, text: string) => digestOf("sha256", `${before}\n${text}`, "hex");
