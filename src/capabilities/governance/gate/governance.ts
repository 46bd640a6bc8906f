import { Cairn } from "../../../work/state/cairn.ts";
import type { JsonObject } from "../../../core/objects/json.ts";
import type { ObjectId } from "../../../core/objects/object-id.ts";
import type { Commit, Store } from "../../../core/store/contract.ts";
import { recordedCommit, type EntriesFor } from "../ledger/append-log.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { noteOf, refusalKey } from "../state/apply-entry.ts";
import type { EntryOf, LedgerEntry } from "../state/entry.ts";
import { isInTurn, knownAgent, policyOf, usedAt } from "../state/governance-state.ts";
import { earnedTier } from "../state/promotion.ts";
import { PERSON, standingOf, type Claimant } from "../state/standing.ts";
import { decide, type GateFacts, type GateQuestion } from "./decide.ts";
import { refusal, refusalOf, reservedName, type GateAnswer } from "./refusal.ts";
import { countedAt, countRefusal, refusalOfMany, repeatsOf, whyNoRoom } from "./refusals.ts";
import { approvalFor, requestFor } from "./requests.ts";
import { assertSizes } from "./sizes.ts";
import { isRationed } from "../policy/policy.ts";

/** Something wrong that was noticed outside of the ledger. Recorded once. */
export type GateFinding = Pick<EntryOf<"violation">, "rule" | "what"> & { readonly agent?: string };

/** Who wants to do what, and what was found out about it. */
export interface Admission {
  readonly claimant: Claimant;
  readonly question: GateQuestion;
  readonly facts?: Omit<GateFacts, "used" | "approval">;
  readonly findings?: readonly GateFinding[];
  /** What else the same commit records. */
  readonly entries?: () => readonly LedgerEntry[];
  /** For what hooks save: whether this commit begins a turn. One entry covers a turn, whatever is saved in it. */
  readonly beginsTurn?: () => boolean;
}

/** Trails that only governance writes to. */
export const GOVERNANCE_TRAIL = "cairn/governance";
export const EVIDENCE_TRAIL = "cairn/evidence";

/** The state of the governance trail: what all processes share. */
export type SharedState = { breakers: Record<string, JsonObject> };

/** Names that mean something else in the ledger. */
const RESERVED = [PERSON, "cairn", "unknown"];

/** Whether no name of what was done is rationed. */
const isFree = ({ action, alias = action }: GateQuestion) => !isRationed(action) && !isRationed(alias);

/** The gate of one open store. */
export class Governance {
  readonly ledger: Ledger;

  constructor(ledger: Ledger) {
    this.ledger = ledger;
  }

  /** What the gate would say now. Records nothing. */
  async ask(admission: Admission): Promise<GateAnswer> {
    await this.ledger.refresh();
    return this.#answer(admission);
  }

  /** The store as this claimant may use it: each commit is decided, and recorded, in its own transaction. */
  governed(admission: Admission): Store {
    const { store } = this.ledger;
    const admitted = recordedCommit(this.ledger, (change) => this.#admit(admission, change));
    const commit: Store["commit"] = (change) =>
      admitted(change).catch((error: unknown) => this.#refuse(error, admission));
    // The store removes and attaches without a commit, so the entry goes first.
    const remove: Store["remove"] = (removal) => this.act(admission).then(() => store.remove(removal));
    const attach: Store["attach"] = (...args) => this.act(admission).then(() => store.attach(...args));
    return { ...store, commit, remove, attach };
  }

  /** Records an action that saves nothing else, or refuses it. */
  async act(admission: Admission, change?: (state: SharedState) => void): Promise<void> {
    const entriesFor = (commit: Commit) => this.#admit(admission, commit);
    await this.#commit(entriesFor, change).catch((error: unknown) => this.#refuse(error, admission));
  }

  /** Appends entries of the ledger, made for the state that they find, in a commit of their own. */
  async append(
    entriesFor: (ledger: Ledger) => readonly LedgerEntry[] | Promise<readonly LedgerEntry[]>,
    change?: (state: SharedState) => void,
  ): Promise<void> {
    const withForgeries = async () => [...this.#forgeries(), ...(await entriesFor(this.ledger))];
    await this.#commit(withForgeries, change);
    await this.ledger.pinHead();
  }

  /** What the processes share. */
  async shared(): Promise<SharedState> {
    const trail = this.#trail(this.ledger.store);
    return (await trail.head()) === undefined ? { breakers: {} } : (await trail.load()).state;
  }

  #trail(store: Store) {
    const initial: SharedState = { breakers: {} };
    return new Cairn(store, this.ledger.now).trail(GOVERNANCE_TRAIL, { initial });
  }

  async #commit(entriesFor: EntriesFor, change: (state: SharedState) => void = () => {}): Promise<void> {
    const commit = recordedCommit(this.ledger, entriesFor);
    await this.#trail({ ...this.ledger.store, commit }).commit(change, { trigger: "ledger" });
  }

  #answer({ claimant, question, facts = {} }: Admission): GateAnswer {
    const { state, storeId } = this.ledger;
    assertSizes(claimant, question);
    if (claimant.agent !== undefined && RESERVED.includes(claimant.agent)) throw reservedName(claimant.agent);
    const standing = standingOf(state, storeId, claimant);
    const record = knownAgent(state, standing.agent);
    const used = record && usedAt(record, this.ledger.at);
    const approval = approvalFor(this.ledger, standing.agent, question);
    const decision = decide(policyOf(state), standing, question, { ...facts, used, approval });
    const { agent, tier, attested } = standing;
    const { action } = question;
    const answer = { ...decision, action, agent, tier, attested };
    if (decision.decision !== "ask") return answer;
    const request = requestFor(this.ledger, agent, question);
    const full = Object.hasOwn(state.requests, request) ? undefined : whyNoRoom(this.ledger, agent);
    if (full === undefined) return { ...answer, request };
    return { ...answer, decision: "deny", reasons: [...decision.reasons, full] };
  }

  #admit(admission: Admission, { trail, checkpoint }: Commit): readonly LedgerEntry[] {
    const answer = this.#answer(admission);
    if (answer.decision !== "allow") throw refusal(answer);
    const { agent, tier, attested, action, approval, risk } = answer;
    const done = { type: "action", at: this.ledger.at, agent, tier, attested, action } as const;
    const entry: EntryOf<"action"> = {
      ...done,
      risk: risk === "high" ? risk : undefined,
      trail,
      checkpoint: checkpoint.id,
      approval,
      digest: admission.question.digest,
      free: isFree(admission.question) ? true : undefined,
    };
    const findings = this.#findings(admission, answer);
    const noticed = [...this.#forgeries(), ...findings];
    if (admission.beginsTurn?.() === false && isInTurn(this.ledger.state, trail, agent)) return noticed;
    return [
      ...noticed,
      entry,
      ...(admission.entries?.() ?? []),
      // A violation begins the count again.
      ...(findings.length === 0 ? this.#promotion(entry) : []),
    ];
  }

  /** Records why something was refused, then refuses it. */
  async #refuse(error: unknown, admission: Admission): Promise<never> {
    const answer = refusalOf(error);
    if (answer === undefined) throw error;
    if (answer.request !== undefined) await this.#request(answer, admission);
    else await this.#deny(answer, admission);
    throw error;
  }

  /** What the gate says now; a question that somebody can approve is recorded. */
  async request(admission: Admission): Promise<GateAnswer> {
    const answer = await this.ask(admission);
    await this.#request(answer, admission);
    return answer;
  }

  /** Asking is no violation, and asking twice is asking once: a second time records nothing at all. */
  async #request(answer: GateAnswer, admission: Admission): Promise<void> {
    const { agent, action, reasons, request } = answer;
    const { alias, digest } = admission.question;
    const isOpen = (id: string) => Object.hasOwn(this.ledger.state.requests, id);
    if (request === undefined || isOpen(request)) return;
    await this.append(({ at }) => {
      if (isOpen(request)) return [];
      const asked = { type: "request", at, agent, id: request, action, alias, digest, reasons } as const;
      return [...this.#findings(admission, answer), asked];
    });
  }

  /** Records a refusal. The same one, again and again, is counted beside the ledger, which only grows. */
  async #deny(answer: GateAnswer, admission: Admission): Promise<void> {
    const { ledger } = this;
    await ledger.refresh();
    const counted = countedAt(ledger, refusalOfMany(ledger, answer));
    if (counted !== undefined && (await countRefusal(ledger, counted))) return;
    const known = Object.values(ledger.state.refusals ?? {}).map(({ checkpoint }) => checkpoint as ObjectId);
    const repeats = known.length === 0 ? new Map<ObjectId, number>() : await repeatsOf(ledger.store, known);
    await this.#commit(({ checkpoint }) => {
      const refusal = refusalOfMany(ledger, answer);
      const before = ledger.state.refusals?.[refusalKey(refusal)]?.checkpoint as ObjectId | undefined;
      const said = { type: "violation", at: ledger.at, rule: "denied", ...refusal } as const;
      const findings = refusal.agent === answer.agent ? this.#findings(admission, answer) : [];
      const more = { checkpoint: checkpoint.id, repeats: before && repeats.get(before) };
      return [...this.#forgeries(), ...findings, { ...said, ...more }];
    });
    await ledger.pinHead();
  }

  #forgeries(): EntryOf<"violation">[] {
    return this.ledger.state.forged.map(({ number: entry, ...forged }) => {
      const said = { type: "violation", at: this.ledger.at, rule: "forged-entry" } as const;
      return { ...said, ...forged, entry };
    });
  }

  #findings({ claimant, findings = [] }: Admission, { agent, tier }: GateAnswer): EntryOf<"violation">[] {
    const { claimedTier = 0 } = claimant;
    const claimed: GateFinding[] =
      claimedTier > tier ? [{ rule: "claimed-tier", what: `claims T${claimedTier}` }] : [];
    return [...claimed, ...findings]
      .map((found) => ({ type: "violation" as const, at: this.ledger.at, agent, ...found }))
      .filter((entry) => !this.ledger.state.noted.includes(noteOf(entry)));
  }

  #promotion({ agent, at }: EntryOf<"action">): LedgerEntry[] {
    const { state } = this.ledger;
    const record = knownAgent(state, agent);
    if (agent === PERSON || record === undefined) return [];
    const to = earnedTier(policyOf(state), { ...record, clean_actions: record.clean_actions + 1 }, at);
    return to === undefined ? [] : [{ type: "promotion", at, agent, from: record.tier, to, by: "rule" }];
  }
}
