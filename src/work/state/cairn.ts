import { join } from "node:path";

import type { Progress, Store, StoredTrail, TrailQuery } from "../../core/store/contract.ts";
import { openSqliteStore } from "../../core/store/sqlite.ts";
import { infoOrDamage, type CheckpointInfo } from "../../core/trails/document.ts";
import type { PruneOptions, PruneReport } from "../../core/trails/prune.ts";
import type { RetentionPolicy } from "../../core/trails/retention-policy.ts";
import { refuseGoverned } from "./refuse-governed.ts";
import { STORE_FILE } from "../../core/trails/store-file.ts";
import { Trail } from "../../core/trails/trail.ts";
import type { TrailOptions } from "../../core/trails/trail-options.ts";
import { markIfImported } from "./imported-marks.ts";
import { emptyWorkState, type WorkState } from "./work-state.ts";

export interface CairnOptions {
  /** The folder of the store; made if it is missing. */
  readonly path?: string;
  /** A store of your own instead of the SQLite file in `path`. */
  readonly store?: Store;
  /** Never writes, and fails when there is no store. */
  readonly readOnly?: boolean;
  /** Goes on with a store that has lost commits. What is left of its log stays beside it. */
  readonly acceptLoss?: boolean;
  /** The clock that checkpoints are dated by. */
  readonly now?: () => Date;
}

/**
 * Opens a store of checkpoints. A store with a ledger is governed: it can be read, and refuses to be written here, because
 * nobody asked the gate. `openProject` does.
 *
 * @example
 * const cairn = await openCairn({ path: ".cairn" });
 * const trail = cairn.trail("main");
 * await trail.commit((state) => { state.variables.region = "eu"; }, { notes: "before deploy" });
 * await cairn.close();
 */
export async function openCairn(options: CairnOptions = {}): Promise<Cairn> {
  const { store } = await openUnguarded(options);
  return new Cairn(options.readOnly ? store : refuseGoverned(store), options.now ?? (() => new Date()));
}

/** The same for the project, which asks the gate itself wherever a store is governed. */
export async function openUnguarded(options: CairnOptions = {}): Promise<Cairn> {
  const { path = ".cairn", readOnly = false, acceptLoss = false, now = () => new Date() } = options;
  const store =
    options.store ?? (await openSqliteStore({ path: join(path, STORE_FILE), readOnly, acceptLoss }));
  return new Cairn(store, now);
}

/** An open store: trails by name, and what concerns all of them. */
export class Cairn {
  readonly store: Store;
  readonly #now: () => Date;
  readonly #underway = new Set<Promise<unknown>>();

  constructor(store: Store, now: () => Date) {
    this.store = store;
    this.#now = now;
  }

  /** A trail by name. Without options its state is the state of agent work; any JSON object will do. */
  trail<State extends object = WorkState>(name: string, options: TrailOptions<State> = {}): Trail<State> {
    const initial = options.initial ?? (emptyWorkState() as object as State);
    return new Trail(
      name,
      { store: this.store, now: this.#now, underway: this.#wait, markIfImported },
      { ...options, initial },
    );
  }

  /** All trails, the one that moved last first; with a limit only the first of them. */
  async trails(options?: TrailQuery): Promise<StoredTrail[]> {
    return this.store.trails(options);
  }

  /** Checkpoints of all trails, newest commit first. */
  async history({ limit }: { readonly limit?: number } = {}): Promise<CheckpointInfo[]> {
    return (await this.store.find({ newestFirst: true, limit })).map(infoOrDamage);
  }

  /** Removes old checkpoints of every trail by a policy. */
  async prune(policy: RetentionPolicy, options: Omit<PruneOptions, "now"> = {}): Promise<PruneReport> {
    const { prune } = await import("../../core/trails/prune.ts");
    return prune(this.store, { all: true }, policy, { now: this.#now(), ...options });
  }

  /** Deletes what no checkpoint reaches any more. */
  async sweep(options?: Progress) {
    return this.store.sweep(options);
  }

  /** Checks every byte, and names what is damaged and which checkpoints it costs. */
  async verify(options?: Progress) {
    return this.store.verify(options);
  }

  readonly #wait = (work: Promise<unknown>): void => {
    this.#underway.add(work);
    void work.finally(() => this.#underway.delete(work));
  };

  /** Waits for the commits that were asked for, then ends all use. A second call does nothing. */
  async close(): Promise<void> {
    await Promise.all(this.#underway);
    await this.store.close();
  }
}
