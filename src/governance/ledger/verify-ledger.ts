import { isCheckpointError } from "../../errors.ts";
import type { LogEntry, Store } from "../../store/contract.ts";
import { keyFingerprint, headText, isSignedBy } from "../keys/signature.ts";
import { applyEntry } from "../state/apply-entry.ts";
import type { LedgerTrust } from "../state/decrees.ts";
import type { Decreed, LedgerEntry, SealEntry } from "../state/entry.ts";
import { emptyState, type GovernanceState } from "../state/governance-state.ts";
import type { Anchor } from "./anchor.ts";
import { readEntries } from "./read-entries.ts";

/** The first thing that is wrong, and where. */
interface LedgerProblem {
  /** The number of the entry; one more than there are where the end was cut off. */
  readonly entry: number;
  readonly what: string;
}

export interface LedgerReport {
  readonly entries: number;
  readonly seals: number;
  /** The last entry that a seal or an anchor covers: what comes after it rests on hashes alone. */
  readonly covered: number;
  readonly problem: LedgerProblem | undefined;
  /** Entries that claim what nobody signed. They changed nothing. */
  readonly forged: GovernanceState["forged"];
  readonly authority: readonly string[];
}

/** Reads the whole ledger, and names the first entry that is not what was written. */
export async function verifyLedger(
  store: Store,
  trust: LedgerTrust,
  anchors: readonly Anchor[] = [],
): Promise<LedgerReport> {
  const check = new LedgerCheck(trust, anchors);
  let chained: LedgerProblem | undefined;
  try {
    for await (const page of readEntries(store)) for (const entry of page) check.take(entry);
  } catch (error) {
    if (!isCheckpointError(error, "corrupt")) throw error;
    chained = { entry: Number(error.details["entry"]), what: "it, or one before it, was changed" };
  }
  return check.report(chained);
}

class LedgerCheck {
  readonly #trust: LedgerTrust;
  readonly #anchors: readonly Anchor[];
  readonly #state = emptyState();
  readonly #forged: GovernanceState["forged"] = [];
  /** The hash of every entry: a signature may cover any that came before. */
  readonly #hashes: string[];
  #seals = 0;
  #covered = 0;
  #problem: LedgerProblem | undefined;

  constructor(trust: LedgerTrust, anchors: readonly Anchor[]) {
    this.#trust = trust;
    this.#anchors = anchors;
    this.#hashes = [trust.storeId];
  }

  take(logged: LogEntry): void {
    const { number, hash, entry: raw } = logged;
    const entry = raw as unknown as LedgerEntry;
    this.#hashes.push(hash);
    const wrong = entry.type === "seal" ? this.#wrongSeal(number, entry) : this.#wrongPlace(entry);
    this.#fail(number, wrong);
    const before = this.#state.forged.length;
    applyEntry(this.#state, this.#trust, logged);
    this.#forged.push(...this.#state.forged.slice(before));
  }

  report(chained: LedgerProblem | undefined): LedgerReport {
    const entries = this.#hashes.length - 1;
    // What comes after a break was not read, so that an anchor beyond it tells nothing more.
    const comparable =
      chained === undefined ? this.#anchors : this.#anchors.filter((one) => one.number <= entries);
    for (const anchor of comparable) this.#compare(anchor, entries);
    const problems = [chained, this.#problem].filter((problem) => problem !== undefined);
    const problem = problems.toSorted((one, other) => one.entry - other.entry)[0];
    return {
      entries,
      seals: this.#seals,
      covered: this.#covered,
      problem,
      forged: this.#forged,
      authority: this.#state.authority.map(({ public_key }) => keyFingerprint(public_key)),
    };
  }

  /** A seal must be signed, and say what follows from the entries before it. */
  #wrongSeal(number: number, seal: SealEntry): string | undefined {
    const { on, state, public_key, machine } = seal;
    if (this.#hashes[on?.number] !== on?.hash || on?.number !== number - 1)
      return `the seal covers another ledger up to entry ${on?.number}`;
    if (!isSignedBy(public_key, headText(this.#trust.storeId, on, state), machine?.signature))
      return "its signature is wrong";
    if (JSON.stringify(state) !== JSON.stringify(this.#state))
      return "the seal says other than what the entries before it say";
    this.#seals++;
    this.#covered = on.number;
    return undefined;
  }

  /** What the authority signed names an entry before it, so that those before it cannot be rewritten. */
  #wrongPlace(entry: LedgerEntry): string | undefined {
    const { on, serial } = entry as Partial<Decreed>;
    if (serial === undefined || on === undefined || this.#hashes[on?.number] === on?.hash) return undefined;
    return `the authority signed it for another ledger up to entry ${on?.number}`;
  }

  #compare({ store, number, hash }: Anchor, entries: number): void {
    if (store !== this.#trust.storeId) return this.#fail(1, "the anchor is of another store");
    if (number > entries)
      return this.#fail(entries + 1, `${number - entries} entries were cut off: there were ${number}`);
    if (this.#hashes[number] !== hash)
      return this.#fail(number, "it, or one before it, is not the one that was anchored");
    this.#covered = Math.max(this.#covered, number);
  }

  #fail(entry: number, what: string | undefined): void {
    if (what === undefined || (this.#problem?.entry ?? Infinity) <= entry) return;
    this.#problem = { entry, what };
  }
}

/** What a chain cannot show by itself, in words. */
export function limitsOf({ entries, covered }: LedgerReport, hasAnchor: boolean): string {
  const rest = entries - covered;
  const uncovered = rest === 0 ? "" : `The last ${rest} entries rest on hashes alone. `;
  return hasAnchor
    ? `${uncovered}Checked against an anchor: what it covers is what was there when it was made.`
    : `${uncovered}Without an anchor kept elsewhere this shows tampering only by those who cannot read the machine's key, and not whether the end was cut off before this machine last saw it.`;
}
