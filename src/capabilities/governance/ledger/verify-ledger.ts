import { isCheckpointError } from "../../../core/errors.ts";
import type { LogEntry, LogHead, Store } from "../../../core/store/contract.ts";
import { keyFingerprint, headText, isSignedBy, type LedgerHead } from "../keys/signature.ts";
import { applyEntry } from "../state/apply-entry.ts";
import type { LedgerTrust } from "../state/decrees.ts";
import type { Decreed, EntryOf, LedgerEntry } from "../state/entry.ts";
import { isEntry } from "../state/entry-shape.ts";
import { emptyState, type GovernanceState } from "../state/governance-state.ts";
import type { UnfinishedStart } from "../../../work/project/gate.ts";
import type { Anchor } from "./anchor.ts";
import { readEntries } from "./read-entries.ts";

/** The name of the store's own chain among those of trails. */
const OWN = "";

/** The first thing that is wrong, and where. */
interface LedgerProblem {
  /** The number of the entry; one more than there are where the end was cut off. */
  readonly entry: number;
  /** The trail whose chain it is in; absent for the store's own. */
  readonly trail?: string | undefined;
  readonly what: string;
}

export interface LedgerReport {
  readonly entries: number;
  readonly seals: number;
  /** How many entries a seal or an anchor covers: what comes after them rests on hashes alone. */
  readonly covered: number;
  readonly problem: LedgerProblem | undefined;
  /** Entries that claim what nobody signed. They changed nothing. */
  readonly forged: GovernanceState["forged"];
  readonly authority: readonly string[];
  /** Commands that were started and have no end. */
  readonly unfinished: readonly UnfinishedStart[];
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
    const { entry, trail } = error.details as { entry: number; trail?: string };
    chained = { entry, trail, what: "it, or one before it, was changed" };
  }
  return check.report(chained);
}

class LedgerCheck {
  readonly #trust: LedgerTrust;
  readonly #anchors: readonly Anchor[];
  readonly #state = emptyState();
  readonly #forged: GovernanceState["forged"] = [];
  /** The hash of every entry, by trail; the store's own chain has no name. A signature may cover any that came before. */
  readonly #hashes = new Map<string, string[]>();
  /** The last entry of each chain that a signature covers. */
  readonly #covered = new Map<string, number>();
  /** The trails whose chains got entries since the last seal. */
  readonly #moved = new Set<string>();
  #seals = 0;
  #problem: LedgerProblem | undefined;

  constructor(trust: LedgerTrust, anchors: readonly Anchor[]) {
    this.#trust = trust;
    this.#anchors = anchors;
  }

  take(logged: LogEntry): void {
    const { number, hash, trail = OWN, after, entry: raw } = logged;
    const entry = raw as unknown as LedgerEntry;
    const hashes = this.#chain(trail);
    const own = this.#last(OWN);
    if (after !== undefined && after > own)
      this.#fail(own + 1, `it is missing, and entry ${number} of trail "${trail}" comes after ${after}`);
    if (number > hashes.length) this.#fail(number, "it comes too early", trail);
    hashes[number] = hash;
    this.#hashes.set(trail, hashes);
    if (trail !== OWN) this.#moved.add(trail);
    else if (entry.type === "seal") this.#fail(number, this.#wrongSeal(number, entry));
    else {
      this.#fail(number, this.#wrongPlace(entry));
      for (const anchor of this.#anchors) if (anchor.number === number) this.#findAllPutIn(anchor.trails);
    }
    const forged = applyEntry(this.#state, this.#trust, logged);
    if (forged !== undefined) this.#forged.push(forged);
  }

  report(chained: LedgerProblem | undefined): LedgerReport {
    if (chained !== undefined) this.#fail(chained.entry, chained.what, chained.trail);
    for (const { store, trails = [], ...own } of this.#anchors) {
      if (store !== this.#trust.storeId) this.#fail(1, "the anchor is of another store");
      for (const { trail, ...head } of [{ trail: OWN, ...own }, ...trails])
        // What comes after a break was not read, so that an anchor beyond it tells nothing more.
        if (chained === undefined || head.number <= this.#last(trail)) this.#compare(head, trail);
    }
    const sum = (numbers: Iterable<number>) => [...numbers].reduce((all, one) => all + one, 0);
    return {
      entries: sum([...this.#hashes.keys()].map((trail) => this.#last(trail))),
      seals: this.#seals,
      covered: sum(this.#covered.values()),
      problem: this.#problem,
      forged: this.#forged,
      authority: this.#state.authority.map(({ public_key }) => keyFingerprint(public_key)),
      unfinished: Object.values(this.#state.starts ?? {}),
    };
  }

  /** A seal must be signed, and say how far all chains go and what follows from the entries before it. */
  #wrongSeal(number: number, seal: EntryOf<"seal">): string | undefined {
    const { on, state, public_key, machine } = seal;
    if (!isEntry(seal)) return "it is not a whole seal";
    if (this.#chain(OWN)[on.number] !== on.hash || on.number !== number - 1)
      return `the seal covers another ledger up to entry ${on.number}`;
    if (!isSignedBy(public_key, headText(this.#trust.storeId, on, state), machine.signature))
      return "its signature is wrong";
    for (const { trail, ...head } of on.trails ?? []) this.#compare(head, trail);
    this.#findAllPutIn(on.trails);
    this.#moved.clear();
    if (JSON.stringify(state) !== JSON.stringify(this.#state))
      return "the seal says other than what the entries before it say";
    this.#seals++;
    this.#covered.set(OWN, on.number);
    return undefined;
  }

  /** What the authority signed names an entry before it, so that those before it cannot be rewritten. */
  #wrongPlace(entry: LedgerEntry): string | undefined {
    const { on, serial } = entry as Partial<Decreed>;
    if (serial === undefined || on === undefined || this.#chain(OWN)[on?.number] === on?.hash)
      return undefined;
    return `the authority signed it for another ledger up to entry ${on?.number}`;
  }

  #chain(trail: string): string[] {
    return this.#hashes.get(trail) ?? [this.#trust.storeId];
  }

  #last(trail: string): number {
    return this.#chain(trail).length - 1;
  }

  /** A chain must go as far as was signed. */
  #compare({ number, hash }: LogHead, trail: string): void {
    const last = this.#last(trail);
    if (number > last)
      return this.#fail(last + 1, `the ledger was cut off: there were ${number} entries`, trail);
    if (this.#chain(trail)[number] !== hash)
      return this.#fail(number, "it, or one before it, is not the one that was signed", trail);
    this.#covered.set(trail, Math.max(this.#covered.get(trail) ?? 0, number));
  }

  /** What came since the last seal must be among what was signed. */
  #findAllPutIn(signed: LedgerHead["trails"] = []): void {
    for (const trail of this.#moved) {
      const head = signed.find((one) => one.trail === trail);
      const covered = head?.number ?? this.#covered.get(trail) ?? 0;
      const at = this.#chain(trail).findIndex((hash, number) => hash !== undefined && number > covered);
      if (at > 0) this.#fail(at, "it was put in after the signature that should cover it", trail);
    }
  }

  /** The first that was found, in the order of the ledger; what is found late may be earlier in the same chain. */
  #fail(entry: number, what: string | undefined, trail = OWN): void {
    const known = this.#problem;
    const isLater = known !== undefined && ((known.trail ?? OWN) !== trail || known.entry <= entry);
    if (what === undefined || isLater) return;
    this.#problem = trail === OWN ? { entry, what } : { entry, trail, what };
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
