import type { NewObject } from "../../core/objects/object-format.ts";
import type { ObjectId } from "../../core/objects/object-id.ts";
import type { Store } from "../../core/store/contract.ts";
import { writeCheckpoint } from "../../core/trails/document.ts";
import type { Project } from "../../work/project/project.ts";
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
  readonly #ahead: ObjectId[] = [];
  #waiting: NewObject[] = [];
  #waitingBytes = 0;

  constructor(project: Project, store: Store, trail: string) {
    this.#project = project;
    this.#store = store;
    this.#trail = trail;
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
    const root = writeRoot({ why: "gathering", at: this.#ahead.length }, parts, undefined);
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
      revives: true,
    });
    this.#ahead.push(object.id);
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  async removeParts(): Promise<void> {
    if (this.#ahead.length > 0) await this.#store.remove({ checkpoints: this.#ahead });
  }
}
