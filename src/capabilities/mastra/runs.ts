import { decode } from "../../core/objects/decode.ts";
import { encode, recall } from "../../core/objects/encode.ts";
import type { JsonObject } from "../../core/objects/json.ts";
import type { ObjectId } from "../../core/objects/object-id.ts";
import { remember } from "../../core/objects/remember.ts";
import type { Commit, Store } from "../../core/store/contract.ts";
import { readAt } from "../../core/trails/diff/read-at.ts";
import { readCheckpoint, writeCheckpoint } from "../../core/trails/document.ts";

/** What a run is found by. */
export interface RunFacts extends JsonObject {
  workflow_name: string;
  run_id: string;
  status: string;
  created_at: string;
  updated_at: string;
}

/** What a trail holds of a run, once for each time that it was saved. */
export interface StoredRun extends JsonObject {
  run: RunFacts;
  snapshot: JsonObject;
}

export interface FoundRun {
  readonly run: RunFacts;
  readonly read: () => Promise<StoredRun>;
}

/** Runs in a store, each in a trail of its own. */
export class MastraRuns {
  readonly #store: Store;
  readonly #read = (ids: readonly ObjectId[]) => this.#store.readObjects(ids);

  constructor(store: Store) {
    this.#store = store;
  }

  async load(trail: string): Promise<StoredRun | undefined> {
    const head = await this.#store.head(trail);
    return head && this.#state((await this.#document(head)).root);
  }

  /** Saves what `change` makes of the run, while no other writer can; undefined changes nothing. Durable before it resolves. */
  async change(
    trail: string,
    created: Date,
    change: (run: StoredRun | undefined) => StoredRun | undefined,
  ): Promise<void> {
    const build = async (head: ObjectId | undefined): Promise<Commit | undefined> => {
      const parent = head && (await this.#document(head));
      const memory = parent && (await remember(parent.root, this.#read));
      const run = change(memory && (recall(memory) as StoredRun));
      if (run === undefined) return undefined;
      const encoded = encode(run, memory);
      const { object: checkpoint } = writeCheckpoint({
        root: encoded.memory.root,
        trail,
        created_at: created.toISOString(),
        trigger: "step",
        session_id: run.run.run_id,
        parent: parent?.info,
      });
      const { objects } = encoded;
      const createdAt = created.getTime();
      return { objects, checkpoint, trail, parent: head, createdAt, head: { from: head }, revives: true };
    };
    await this.#store.commit({ trail, build });
  }

  /** The runs whose trails begin so, the newest first. Of their states only this is read. */
  async find(prefix: string, isWanted: (run: RunFacts) => boolean): Promise<FoundRun[]> {
    const heads = await this.#read((await this.#store.trails({ prefix })).map(({ head }) => head));
    const found: FoundRun[] = [];
    for (const [id, bytes] of heads) {
      const { root } = readCheckpoint(id, bytes);
      const run = (await readAt(root, ["run"], this.#read)) as RunFacts;
      if (isWanted(run)) found.push({ run, read: () => this.#state(root) });
    }
    return found.toSorted((a, b) => Date.parse(b.run.created_at) - Date.parse(a.run.created_at));
  }

  async #document(id: ObjectId) {
    return readCheckpoint(id, (await this.#read([id])).get(id) ?? new Uint8Array());
  }

  async #state(root: ObjectId): Promise<StoredRun> {
    return (await decode(root, this.#read)) as StoredRun;
  }
}
