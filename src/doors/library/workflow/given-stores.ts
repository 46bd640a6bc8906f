import { type Cairn, openUnguarded } from "../../../work/state/cairn.ts";
import { unguarded } from "../../../work/state/refuse-governed.ts";
import { type Closable, KeptOpen } from "../../../work/project/kept-open.ts";
import type { Opening, Project, Stores } from "../../../work/project/project.ts";
import { type AskedAction, beforeClose, behindGate } from "../../../work/project/gate.ts";

interface GivenStore {
  readonly cairn: Cairn;
  /** Whether the program that gave the store closes it. */
  readonly isLent?: boolean;
}

/**
 * One store that a program opened or named, behind the same gate as a project's own. What the program's own handle was opened
 * for grants nothing here: it is opened for one action, and these are others.
 */
export class GivenStores implements Stores {
  readonly #given: GivenStore;
  readonly #cairn: Cairn;
  readonly #kept = new KeptOpen();
  #isClosed = false;

  private constructor(given: GivenStore, cairn: Cairn) {
    this.#given = given;
    this.#cairn = cairn;
  }

  static async from(given: GivenStore, now: () => Date): Promise<GivenStores> {
    const { cairn } = given;
    const store = unguarded(cairn.store);
    return new GivenStores(given, store === cairn.store ? cairn : await openUnguarded({ store, now }));
  }

  async open(
    project: Project,
    opening: Opening,
    action: string | AskedAction | null = "work.change",
  ): Promise<Cairn> {
    const cairn = this.#cairn;
    return opening === "read" || action === null ? cairn : behindGate(project, cairn, action);
  }

  keepOpen<Kept extends Closable>(name: string, open: () => Promise<Kept>): Promise<Kept> {
    return this.#kept.get(name, open);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await beforeClose(this.#cairn);
    if (!this.#given.isLent) await this.#given.cairn.close();
    await this.#kept.close();
  }
}
