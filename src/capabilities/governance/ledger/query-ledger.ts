import type { LogEntry, Store } from "../../../core/store/contract.ts";
import { isEntry } from "../state/entry-shape.ts";
import { readEntries, startOfNewest } from "./read-entries.ts";

export interface LedgerQuery {
  readonly agent?: string | undefined;
  readonly type?: string | undefined;
  /** ISO: only entries from then on. */
  readonly since?: string | undefined;
  /** The newest. */
  readonly limit?: number | undefined;
}

/** An entry as people read it: what it says, without the text that says it; and what is wrong if Cairn cannot read it. */
export type ShownEntry = Omit<LogEntry, "text"> & { readonly problem?: string };

const UNREADABLE = "Cairn cannot read this entry. It changed nothing. To check: checkpoint ledger verify";

/** Entries of the ledger in their order. What a seal carries besides its signature is left out. */
export async function queryLedger(store: Store, options: LedgerQuery): Promise<ShownEntry[]> {
  const { limit = Infinity, ...query } = options;
  const isAny = Object.values(query).every((wanted) => wanted === undefined);
  const start = isAny && limit !== Infinity ? await startOfNewest(store, limit) : 0;
  const found: LogEntry[] = [];
  for await (const page of readEntries(store, start))
    found.push(...page.filter((entry) => matches(entry, query)));
  // An entry of a trail's chain may claim to stand far behind the end.
  if (start > 0 && found.length < limit) return (await queryLedger(store, query)).slice(-limit);
  return found.slice(Math.max(0, found.length - limit)).map(toShown);
}

function matches({ entry }: LogEntry, { agent, type, since }: LedgerQuery): boolean {
  return (
    (agent === undefined || entry["agent"] === agent) &&
    (type === undefined || entry["type"] === type) &&
    (since === undefined || (entry["at"] as string) >= since)
  );
}

function toShown({ text: _text, ...logged }: LogEntry): ShownEntry {
  if (!isEntry(logged.entry)) return { ...logged, problem: UNREADABLE };
  if (logged.entry["type"] !== "seal") return logged;
  const { state: _state, public_key: _key, ...entry } = logged.entry;
  return { ...logged, entry };
}
