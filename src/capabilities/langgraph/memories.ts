import { StateReader } from "../../core/objects/decode.ts";
import { recallShared, type Memory } from "../../core/objects/encode.ts";
import { charsOf } from "../../core/objects/entry.ts";
import type { Json, JsonObject } from "../../core/objects/json.ts";
import type { ObjectId } from "../../core/objects/object-id.ts";
import type { ReadObjects } from "../../core/objects/read-tree.ts";
import type { CheckpointInfo } from "../../core/trails/document.ts";
import { remember } from "../../core/objects/remember.ts";

/** What a checkpoint of LangGraph is in a store. */
export interface ThreadState extends JsonObject {
  v: number;
  channels: JsonObject;
  versions: Record<string, number | string>;
  seen: JsonObject;
  metadata: Json;
}

/** So many characters of states are remembered, in all threads together. */
const MAX_CHARS = 48 * 1024 * 1024;

/** So many threads are remembered with their last checkpoint. */
const MAX_TRAILS = 1000;

/** The checkpoint that was put last, in a trail. */
export interface LastPut {
  readonly foreignId: string;
  readonly info: CheckpointInfo;
  readonly root: ObjectId;
}

/** Remembers the states that were written or read last, so that the next step of a thread costs what it changes. */
export class Memories {
  /** For histories. */
  readonly history: StateReader;
  readonly #read: ReadObjects;
  readonly #memories = new Map<ObjectId, { readonly memory: Memory; readonly chars: number }>();
  readonly #last = new Map<string, LastPut>();
  #chars = 0;

  constructor(read: ReadObjects) {
    this.#read = read;
    this.history = new StateReader(read);
  }

  async of(root: ObjectId): Promise<Memory> {
    const known = this.#memories.get(root)?.memory;
    const memory = known ?? (await remember(root, this.#read));
    this.keep(memory);
    return memory;
  }

  /** What the next step of a thread most likely continues from. */
  lastPut(trail: string): LastPut | undefined {
    return this.#last.get(trail);
  }

  keepLast(trail: string, last: LastPut): void {
    this.#last.delete(trail);
    this.#last.set(trail, last);
    if (this.#last.size > MAX_TRAILS) this.#last.delete(this.#last.keys().next().value as string);
  }

  /** The one that was used longest ago is forgotten first. `instead` is a state that nobody needs any more. */
  keep(memory: Memory, instead?: ObjectId): void {
    if (instead !== undefined && instead !== memory.root) this.#drop(instead);
    this.#drop(memory.root);
    const chars = charsOf(memory.entry);
    this.#memories.set(memory.root, { memory, chars });
    this.#chars += chars;
    for (const root of this.#memories.keys()) {
      if (this.#chars <= MAX_CHARS || root === memory.root) break;
      this.#drop(root);
    }
  }

  forget(): void {
    this.#memories.clear();
    this.#last.clear();
    this.#chars = 0;
  }

  #drop(root: ObjectId): void {
    this.#chars -= this.#memories.get(root)?.chars ?? 0;
    this.#memories.delete(root);
  }
}

/** A remembered state. It is shared, so it must not be changed. */
export function stateOf(memory: Memory): ThreadState {
  return recallShared(memory) as ThreadState;
}
