import { isCheckpointError } from "../../errors.ts";
import type { LogEntry, Store } from "../../store/contract.ts";
import { keyFingerprint, headText, isSignedBy, type LogHead } from "../keys/signature.ts";
import { applyEntry } from "../state/apply-entry.ts";
import type { LedgerTrust } from "../state/decrees.ts";
import type { Decreed, LedgerEntry, SealEntry } from "../state/entry.ts";
import { isEntry } from "../state/entry-shape.ts";
import { emptyState, type GovernanceState } from "../state/governance-state.ts";
import type { Anchor } from "./anchor.ts";
import { readEntries } from "./read-entries.ts";

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
  /** The hash of every entry, by trail: a signature may cover any that came before. The store's own chain has no name. */
  readonly #chains: Map<string, string[]>;
  /** The trails whose chains got entries since the last seal. */
  #moved = new Set<string>();
  #entries = 0;
  /** How many entries there were up to each of the store's own chain. */
  readonly #counts = [0];
  #seals = 0;
  #covered = 0;
  #problem: LedgerProblem | undefined;

  constructor(trust: LedgerTrust, anchors: readonly Anchor[]) {
    this.#trust = trust;
    this.#anchors = anchors;
    this.#chains = new Map([["", [trust.storeId]]]);
  }

  take(logged: LogEntry): void {
    const { number, hash, trail = "", entry: raw } = logged;
    const entry = raw as unknown as LedgerEntry;
    const hashes = this.#hashesOf(trail);
    this.#chains.set(trail, hashes);
    hashes[number] = hash;
    if (trail === "") {
      const wrong = entry.type === "seal" ? this.#wrongSeal(number, entry) : this.#wrongPlace(entry);
      this.#fail(number, wrong);
    } else this.#moved.add(trail);
    const before = new Set(this.#state.forged);
    applyEntry(this.#state, this.#trust, logged);
    this.#forged.push(...this.#state.forged.filter((found) => !before.has(found)));
    this.#entries++;
    if (trail === "") this.#counts.push(this.#entries);
  }

  report(chained: LedgerProblem | undefined): LedgerReport {
    if (chained !== undefined) this.#fail(chained.entry, chained.what, chained.trail);
    for (const anchor of this.#anchors) this.#compareAnchor(anchor, chained !== undefined);
    return {
      entries: this.#entries,
      seals: this.#seals,
      covered: this.#covered,
      problem: this.#problem,
      forged: this.#forged,
      authority: this.#state.authority.map(({ public_key }) => keyFingerprint(public_key)),
    };
  }

  /** A seal must be signed, and say what follows from the entries before it. */
  #wrongSeal(number: number, seal: SealEntry): string | undefined {
    const { on, state, public_key, machine } = seal;
    if (!isEntry(seal)) return "it is not a whole seal";
    if (this.#hashesOf("")[on.number] !== on.hash || on.number !== number - 1)
      return `the seal covers another ledger up to entry ${on.number}`;
    if (!isSignedBy(public_key, headText(this.#trust.storeId, on, state), machine.signature))
      return "its signature is wrong";
    for (const { trail, ...head } of on.trails ?? []) {
      this.#compare(head, trail);
      this.#moved.delete(trail);
      if (this.#lastOf(trail) > head.number) this.#fail(head.number + 1, PUT_IN, trail);
    }
    for (const trail of this.#moved) this.#fail(this.#lastOf(trail), PUT_IN, trail);
    this.#moved.clear();
    if (JSON.stringify(state) !== JSON.stringify(this.#state))
      return "the seal says other than what the entries before it say";
    this.#seals++;
    this.#covered = this.#entries;
    return undefined;
  }

  #hashesOf(trail: string): string[] {
    return this.#chains.get(trail) ?? [this.#trust.storeId];
  }

  #lastOf(trail: string): number {
    return this.#hashesOf(trail).length - 1;
  }

  /** What the authority signed names an entry before it, so that those before it cannot be rewritten. */
  #wrongPlace(entry: LedgerEntry): string | undefined {
    const { on, serial } = entry as Partial<Decreed>;
    if (serial === undefined || on === undefined || this.#hashesOf("")[on?.number] === on?.hash)
      return undefined;
    return `the authority signed it for another ledger up to entry ${on?.number}`;
  }

  /** What comes after a break was not read, so that an anchor beyond it tells nothing more. */
  #compareAnchor({ store, trails = [], ...head }: Anchor, isBroken: boolean): void {
    if (store !== this.#trust.storeId) return this.#fail(1, "the anchor is of another store");
    const signed = [{ ...head, trail: "" }, ...trails];
    const comparable = signed.filter(({ trail, number }) => !isBroken || number <= this.#lastOf(trail));
    if (!comparable.every(({ trail, ...one }) => this.#compare(one, trail))) return;
    const isEnd =
      head.number === this.#lastOf("") &&
      [...this.#moved].every((name) =>
        trails.some(({ trail, number }) => trail === name && number === this.#lastOf(name)),
      );
    const covered = isEnd ? this.#entries : (this.#counts[head.number] ?? 0);
    this.#covered = Math.max(this.#covered, covered);
  }

  /** Whether a chain goes as far as was signed. */
  #compare({ number, hash }: LogHead, trail: string): boolean {
    const last = this.#lastOf(trail);
    const isThere = this.#hashesOf(trail)[number] === hash;
    if (number > last)
      this.#fail(last + 1, `${number - last} entries were cut off: there were ${number}`, trail);
    else if (!isThere) this.#fail(number, "it, or one before it, is not the one that was signed", trail);
    return isThere;
  }

  /** The first that was found, in the order of the ledger; what is found late may be earlier in the same chain. */
  #fail(entry: number, what: string | undefined, trail = ""): void {
    const { entry: found = Infinity, trail: at = "" } = this.#problem ?? {};
    if (what === undefined || (this.#problem !== undefined && at !== trail) || found <= entry) return;
    this.#problem = trail === "" ? { entry, what } : { entry, trail, what };
  }
}

const PUT_IN = "it was put in after the seal that should cover it";

/** What a chain cannot show by itself, in words. */
export function limitsOf({ entries, covered }: LedgerReport, hasAnchor: boolean): string {
  const rest = entries - covered;
  const uncovered = rest === 0 ? "" : `The last ${rest} entries rest on hashes alone. `;
  return hasAnchor
    ? `${uncovered}Checked against an anchor: what it covers is what was there when it was made.`
    : `${uncovered}Without an anchor kept elsewhere this shows tampering only by those who cannot read the machine's key, and not whether the end was cut off before this machine last saw it.`;
}
