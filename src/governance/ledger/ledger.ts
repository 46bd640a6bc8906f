import { CheckpointError } from "../../errors.ts";
import type { JsonObject } from "../../objects/json.ts";
import type { Commit, LogEntry, Store } from "../../store/contract.ts";
import type { KeyOwner } from "../keys/key-file.ts";
import { machineKey, type MachineKey } from "../keys/machine-key.ts";
import { keyFingerprint, headText, isSignedBy, type LogHead } from "../keys/signature.ts";
import { applyEntry } from "../state/apply-entry.ts";
import { ANY_AUTHORITY, isDecreed, type LedgerTrust } from "../state/decrees.ts";
import type { LedgerEntry, SealEntry } from "../state/entry.ts";
import { emptyState, type GovernanceState } from "../state/governance-state.ts";
import { readPin, writePin, type Pin } from "./pin.ts";

/** How many entries a signature of the machine covers: one costs 0.1 ms. */
const SEAL_EVERY = 100;

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
  tail: LogHead;
  #trust: LedgerTrust;
  /** Undefined while nothing may be pinned. */
  #pin: Pin | undefined;
  #key: MachineKey | undefined;

  private constructor(store: Store, storeId: string, { owner, now }: LedgerOptions) {
    this.store = store;
    this.owner = owner;
    this.now = now;
    this.tail = { number: 0, hash: storeId };
    this.#trust = { storeId, authority: undefined };
  }

  /** Reads a ledger from its newest seal on. Throws `corrupt` if it is not the one that was seen here last. */
  static async open(store: Store, options: LedgerOptions): Promise<Ledger> {
    const { id } = await store.identity();
    const ledger = new Ledger(store, id, options);
    if (!options.isUnpinned) ledger.#pin = readPin(options.owner, id, () => ledger.key);
    ledger.#trust = { storeId: id, authority: ledger.#pin ? ledger.#pin.authority : ANY_AUTHORITY };
    await ledger.#start();
    return ledger;
  }

  get storeId(): string {
    return this.#trust.storeId;
  }

  get trust(): LedgerTrust {
    return this.#trust;
  }

  /** The machine's key; read when it is first needed. */
  get key(): MachineKey {
    this.#key ??= machineKey(this.owner);
    return this.#key;
  }

  /** Takes in what others appended. Throws `corrupt` if what was taken in before is not there any more. */
  async refresh(): Promise<void> {
    const { number, hash } = this.tail;
    if (number === 0) return this.#take(await this.store.readLog());
    const [known, ...entries] = await this.store.readLog({ after: number - 1 });
    if (known?.hash !== hash) throw rewritten(number, known === undefined ? 0 : number);
    this.#take(entries);
  }

  /** What is appended now: the entries, after a seal when it is time. */
  withSeal(entries: readonly LedgerEntry[]): Required<Pick<Commit, "log" | "logAfter">> {
    const logAfter = this.tail.number;
    const isDue = logAfter - this.state.sealed >= SEAL_EVERY;
    return { log: [...(isDue ? [this.#seal()] : []), ...entries] as unknown as JsonObject[], logAfter };
  }

  /** Records how far the ledger goes outside of the project. Waits for no disk. */
  async pinHead(): Promise<void> {
    await this.refresh();
    const { tail, storeId, state } = this;
    if (this.#pin === undefined || tail.number === 0 || tail.hash === this.#pin.head?.hash) return;
    const head = { ...tail, ...this.key.sign(headText(storeId, tail)) };
    this.#setPin({ ...this.#pin, head, ...(state.sealed > 0 ? { sealed: state.sealed } : {}) });
  }

  /** Accepts an authority by the fingerprint of its first key, and the ledger as it is now. Only a person does this. */
  async trustAuthority(fingerprint: string): Promise<void> {
    this.#setPin({ authority: fingerprint });
    this.#trust = { storeId: this.storeId, authority: fingerprint };
    this.state = emptyState();
    this.tail = { number: 0, hash: this.storeId };
    await this.refresh();
    await this.pinHead();
  }

  #setPin(pin: Pin): void {
    writePin(this.owner, this.storeId, pin);
    this.#pin = pin;
  }

  async #start(): Promise<void> {
    const { sealed = 0, head } = this.#pin ?? {};
    const entries = sealed > 0 ? await this.store.readLog({ after: sealed - 1 }) : [];
    if (!this.#resume(entries)) this.#take(await this.store.readLog());
    if (head === undefined || head.number < sealed) return;
    const [found] =
      head.number === this.tail.number
        ? [this.tail]
        : await this.store.readLog({ after: head.number - 1, limit: 1 });
    if (found?.hash !== head.hash) throw rewritten(head.number, this.tail.number);
  }

  /** Begins with a seal of this machine instead of the first entry. False if it is not one. */
  #resume([first, ...rest]: readonly LogEntry[]): boolean {
    const seal = first?.entry as unknown as SealEntry | undefined;
    if (first === undefined || seal?.type !== "seal" || seal.on.number !== first.number - 1) return false;
    const text = headText(this.storeId, seal.on, seal.state);
    if (!isSignedBy(this.key.publicKey, text, seal.machine.signature)) return false;
    const state = structuredClone(seal.state) as unknown as GovernanceState;
    const [founder] = state.authority;
    // What only the authority can grant is proven again: see standing.ts for tiers.
    const isAccepted = founder === undefined || keyFingerprint(founder.public_key) === this.#trust.authority;
    const decreed = [...state.authority, ...(state.policy ? [state.policy] : [])];
    if (!isAccepted || !decreed.every((entry) => isDecreed(state, this.storeId, entry))) return false;
    this.state = { ...state, sealed: first.number };
    this.tail = { number: first.number, hash: first.hash };
    this.#take(rest);
    return true;
  }

  /** Two who read at once may bring the same entries: each counts once. */
  #take(entries: readonly LogEntry[]): void {
    for (const entry of entries) {
      if (entry.number !== this.tail.number + 1) continue;
      applyEntry(this.state, this.#trust, entry);
      this.tail = { number: entry.number, hash: entry.hash };
    }
  }

  #seal(): SealEntry {
    const { tail: on, storeId, key } = this;
    const state = structuredClone(this.state) as unknown as JsonObject;
    const machine = key.sign(headText(storeId, on, state));
    const at = this.now().toISOString();
    return { type: "seal", at, agent: "cairn", on, public_key: key.publicKey, state, machine };
  }
}

function rewritten(known: number, last: number): CheckpointError {
  const what = last < known ? "was cut off" : "was rewritten";
  return new CheckpointError(
    "corrupt",
    `The ledger ${what}: entry ${known} is not the one that was recorded.`,
    {
      hint: "checkpoint ledger verify\nIf you restored a backup yourself: checkpoint authority trust",
      details: { known, last },
    },
  );
}
