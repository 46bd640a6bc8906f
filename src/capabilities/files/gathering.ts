import type { NewObject } from "../../core/objects/object-format.ts";
import { HIDDEN_PREFIX } from "../../core/store/hidden-trails.ts";
import type { Store } from "../../core/store/contract.ts";
import { writeCheckpoint } from "../../core/trails/document.ts";
import type { Project } from "../../work/project/project.ts";
import { snapshotTrails } from "./snapshot/snapshots.ts";
import { writeParts, writeRoot } from "./snapshot/snapshot-format.ts";

/** So much content waits for a commit at most. */
const MOST_WAITING_BYTES = 32 * 1024 * 1024;

/**
 * Content on its way to the store. What is more than fits into one commit goes ahead, in checkpoints that nobody reads and
 * that hold it until the snapshot itself is there.
 */
export class Gathering {
  bytes = 0;
  readonly #project: Project;
  readonly #store: Store;
  readonly #trail: string;
  #hasPart = false;
  #waiting: NewObject[] = [];
  #waitingBytes = 0;

  constructor(project: Project, store: Store) {
    this.#project = project;
    this.#store = store;
    // A trail of its own, which goes as a whole.
    this.#trail = `${HIDDEN_PREFIX}gathering/${snapshotTrails(project)}`;
  }

  readonly keep = async (object: NewObject): Promise<void> => {
    this.bytes += object.bytes.length;
    this.#waiting.push(object);
    this.#waitingBytes += object.bytes.length;
    if (this.#waitingBytes > MOST_WAITING_BYTES) await this.#goAhead();
  };

  rest(): readonly NewObject[] {
    return this.#waiting;
  }

  async #goAhead(): Promise<void> {
    const held = this.#waiting.map(({ id }, at) => ({
      path: `part-${at}`,
      now: { mode: "100644" as const, size: 0, pieces: [id] },
    }));
    const { parts, objects } = writeParts(held, []);
    const root = writeRoot({ why: "gathering", at: this.bytes }, parts, undefined);
    const created = this.#project.now();
    const { object } = writeCheckpoint({
      root: root.id,
      trail: this.#trail,
      created_at: created.toISOString(),
      parent: undefined,
      trigger: "files:gathering",
    });
    await this.#store.commit({
      objects: [...this.#waiting, ...objects, root],
      checkpoint: object,
      trail: this.#trail,
      parent: undefined,
      createdAt: created.getTime(),
      head: { from: await this.#store.head(this.#trail) },
      revives: true,
    });
    this.#hasPart = true;
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  /** The snapshot is stored, or was given up. What another one left behind goes too. */
  async end(): Promise<void> {
    if (this.#hasPart || (await this.#store.trails({ prefix: this.#trail })).length > 0)
      await this.#store.remove({ trails: [this.#trail] });
  }
}
