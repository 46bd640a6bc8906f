import { CheckpointError } from "../../../core/errors.ts";
import type { JsonObject } from "../../../core/objects/json.ts";
import type { Commit, LogEntry, LogHead, Store } from "../../../core/store/contract.ts";
import type { KeyOwner } from "../keys/key-file.ts";
import { machineKey, type MachineKey } from "../keys/machine-key.ts";
import { keyFingerprint, headText, isSignedBy, type LedgerHead } from "../keys/signature.ts";
import { applyEntry, isPlain } from "../state/apply-entry.ts";
import { ANY_AUTHORITY, isDecreed, type LedgerTrust } from "../state/decrees.ts";
import type { EntryOf, LedgerEntry } from "../state/entry.ts";
import { isEntry } from "../state/entry-shape.ts";
import { emptyState, knownAgent, policyOf, type GovernanceState } from "../state/governance-state.ts";
import { readPin, writePin, type Pin } from "./pin.ts";

/** How many entries a signature of the machine covers: one costs 0.1 ms. */
const SEAL_EVERY = 100;

/** How many commits to trails' chains a process makes between two looks at those of others: they only change counts. */
const MOST_LAG = 8;

/** With fewer actions left in an agent's hour, each waits for the one before, so that none is beyond the budget. */
const BUDGET_MARGIN = 32 * MOST_LAG;

export interface LedgerOptions {
  readonly owner: KeyOwner;
  readonly now: () => Date;
  /** Takes the ledger as it is, whoever its authority is. Pins nothing until one is trusted. */
  readonly isUnpinned?: boolean;
}

/** The ledger of one open store: what follows from its entries so far, and what goes in next. */
export class Ledger {
  readonly store: Store;
  readonly owner: KeyOwner;
  readonly now: () => Date;
  state: GovernanceState = emptyState();
  trust: LedgerTrust;
  /** The last entry of the store's own chain. */
  tail: LogHead;
  /** The last entries of trails' chains, where some came since the last seal, and how many that were. */
  #trails = new Map<string, LogHead>();
  #plain = 0;
  #lag = 0;
  /** Undefined while nothing may be pinned. */
  #pin: Pin | undefined;
  #key: MachineKey | undefined;

  private constructor(store: Store, storeId: string, { owner, now }: LedgerOptions) {
    this.store = store;
    this.owner = owner;
    this.now = now;
    this.tail = { number: 0, hash: storeId };
    this.trust = { storeId, authority: undefined };
  }

  /** Reads a ledger from its newest seal on. Throws `corrupt` if it is not the one that was seen here last. */
  static async open(store: Store, options: LedgerOptions): Promise<Ledger> {
    const { id } = await store.identity();
    const ledger = new Ledger(store, id, options);
    if (!options.isUnpinned) ledger.#pin = readPin(options.owner, id, () => ledger.key);
    ledger.trust = { storeId: id, authority: ledger.#pin ? ledger.#pin.authority : ANY_AUTHORITY };
    await ledger.#start();
    return ledger;
  }

  get storeId(): string {
    return this.trust.storeId;
  }

  /** Now, as entries say it. */
  get at(): string {
    return this.now().toISOString();
  }

  /** The machine's key; read when it is first needed. */
  get key(): MachineKey {
    return (this.#key ??= machineKey(this.owner));
  }

  /** Takes in what others appended. Throws `corrupt` if what was taken in before is not there any more. */
  async refresh(): Promise<void> {
    this.#lag = 0;
    const { number, hash } = this.tail;
    if (number === 0) return this.#take(await this.store.readLog());
    const [known, ...entries] = await this.store.readLog({ after: number - 1, seen: this.#seen() });
    if (known?.hash !== hash) throw rewritten(number, known === undefined ? 0 : number);
    this.#take(entries);
  }

  /** Takes in what others appended, now and then: whether anything but counts changed, the store tells by `logAfter`. */
  async glance(): Promise<void> {
    if (this.#lag++ >= MOST_LAG) await this.refresh();
  }

  /** How far the ledger goes. */
  get head(): LedgerHead {
    return this.#trails.size === 0 ? this.tail : { ...this.tail, trails: this.#seen() };
  }

  /**
   * What is appended, after a seal when it is time. What is decided after an entry, and changes nothing but counts, goes
   * into the chain of its trail; so does nothing at all, which is what a commit inside of a turn records.
   */
  toAppend(entries: readonly LedgerEntry[], after: number): Pick<Commit, "log" | "logAfter"> {
    const isDue = this.tail.number + this.#plain - this.state.sealed >= SEAL_EVERY;
    const log = [...(isDue ? [this.#seal()] : []), ...entries] as unknown as JsonObject[];
    const isBeside =
      log.length === 0 ? this.store.hasTrailChains : this.#isBesideOthers(log.length, entries[0]);
    return isBeside ? { log, logAfter: after } : { log };
  }

  #isBesideOthers(count: number, entry: LedgerEntry | undefined): boolean {
    const { state, store } = this;
    if (count !== 1 || !store.hasTrailChains || entry === undefined || !isPlain(state, entry)) return false;
    const budget = policyOf(state).budget_per_hour[entry.tier] ?? 0;
    return (knownAgent(state, entry.agent)?.hour.used ?? 0) + BUDGET_MARGIN < budget;
  }

  #seen() {
    const trails = [...this.#trails].map(([trail, head]) => ({ trail, ...head }));
    return trails.toSorted((one, other) => (one.trail < other.trail ? -1 : 1));
  }

  /** Records how far the ledger goes outside of the project. */
  async pinHead(): Promise<void> {
    await this.refresh();
    const { head: now, storeId, state } = this;
    const text = headText(storeId, now);
    if (this.#pin === undefined || now.number === 0) return;
    if (this.#pin.head !== undefined && headText(storeId, this.#pin.head) === text) return;
    const head = { ...now, ...this.key.sign(text) };
    this.#setPin({ ...this.#pin, head, ...(state.sealed > 0 ? { sealed: state.sealed } : {}) });
  }

  /** Accepts an authority by the fingerprint of its first key, and the ledger as it is now. Only a person does this. */
  async trustAuthority(fingerprint: string): Promise<void> {
    this.#setPin({ authority: fingerprint });
    this.trust = { storeId: this.storeId, authority: fingerprint };
    this.state = emptyState();
    this.tail = { number: 0, hash: this.storeId };
    this.#trails.clear();
    this.#plain = 0;
    await this.pinHead();
  }

  #setPin(pin: Pin): void {
    writePin(this.owner, this.storeId, pin);
    this.#pin = pin;
  }

  async #start(): Promise<void> {
    const { sealed = 0, head } = this.#pin ?? {};
    const entries = await this.store.readLog({ after: Math.max(0, sealed - 1) });
    if (!this.#resume(entries)) this.#take(sealed > 0 ? await this.store.readLog() : entries);
    if (head === undefined || head.number < sealed) return;
    const hashOf = (at: number, of?: string) =>
      entries.find(({ number, trail }) => number === at && trail === of)?.hash;
    if (hashOf(head.number) !== head.hash) throw rewritten(head.number, this.tail.number);
    const lost = head.trails?.find(({ trail, number, hash }) => hashOf(number, trail) !== hash);
    if (lost !== undefined) throw rewritten(lost.number, 0, ` of trail "${lost.trail}"`);
  }

  /** Begins with a seal of this machine instead of the first entry. False if it is not one. */
  #resume([first, ...rest]: readonly LogEntry[]): boolean {
    if (first === undefined || !isEntry(first.entry)) return false;
    const seal = first.entry as unknown as EntryOf<"seal">;
    if (seal.type !== "seal" || seal.on.number !== first.number - 1) return false;
    const text = headText(this.storeId, seal.on, seal.state);
    if (!isSignedBy(this.key.publicKey, text, seal.machine.signature)) return false;
    const state = structuredClone(seal.state) as unknown as GovernanceState;
    const [founder] = state.authority;
    // What only the authority can grant is proven again: see standing.ts for tiers.
    const isAccepted = founder === undefined || keyFingerprint(founder.public_key) === this.trust.authority;
    const decreed = [...state.authority, ...(state.policy ? [state.policy] : [])];
    if (!isAccepted || !decreed.every((entry) => isDecreed(state, this.storeId, entry))) return false;
    this.state = { ...state, sealed: first.number };
    this.tail = { number: first.number, hash: first.hash };
    this.#take(rest);
    return true;
  }

  /** Two who read at once may bring the same entries: each counts once. */
  #take(entries: readonly LogEntry[]): void {
    for (const logged of entries) {
      const { number, hash, trail, after } = logged;
      const isNew =
        trail === undefined
          ? number === this.tail.number + 1
          : after === this.tail.number && number > (this.#trails.get(trail)?.number ?? 0);
      if (!isNew) continue;
      applyEntry(this.state, this.trust, logged);
      if (trail !== undefined) {
        this.#trails.set(trail, { number, hash });
        this.#plain++;
        continue;
      }
      this.tail = { number, hash };
      if (this.state.sealed !== number) continue;
      this.#trails.clear();
      this.#plain = 0;
    }
  }

  #seal(): EntryOf<"seal"> {
    const { head: on, storeId, key, at } = this;
    const state = structuredClone(this.state) as unknown as JsonObject;
    const machine = key.sign(headText(storeId, on, state));
    return { type: "seal", at, agent: "cairn", on, public_key: key.publicKey, state, machine };
  }
}

function rewritten(known: number, last: number, where = ""): CheckpointError {
  const what = last < known ? "was cut off" : "was rewritten";
  return new CheckpointError("corrupt", `The ledger ${what}: entry ${known}${where} is not as recorded.`, {
    hint: "checkpoint ledger verify\nIf you restored a backup yourself: checkpoint authority trust",
    details: { known, last },
  });
}
