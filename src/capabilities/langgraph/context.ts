import { StateReader } from "../../core/objects/decode.ts";
import { recallShared, type Memory } from "../../core/objects/encode.ts";
import { charsOf } from "../../core/objects/entry.ts";
import type { Json, JsonObject } from "../../core/objects/json.ts";
import type { Store } from "../../core/store/contract.ts";
import { Recent } from "../../core/store/recent.ts";
import type { CheckpointInfo } from "../../core/trails/document.ts";
import { openCairn } from "../../work/state/cairn.ts";
import { createCodec, type Codec, type CodecOptions } from "./codec.ts";

export interface CairnSaverOptions extends CodecOptions {
  /** The folder of the store; made if it is missing. Without one and without a store: `.cairn`. */
  readonly path?: string | undefined;
  /** An open store instead. Closing the saver leaves it open. */
  readonly store?: Store | undefined;
  /**
   * `identity` promises that the program never changes a value of its state in place: then what is the same reference is not
   * compared again. By default everything is compared.
   */
  readonly recognition?: "verify" | "identity" | undefined;
  /** Refuses a checkpoint whose parent is not the newest of its thread any more (`conflict`), instead of making a fork. */
  readonly singleWriter?: boolean | undefined;
}

/** What the parts of the saver work with. */
export interface SaverContext {
  readonly store: Store;
  readonly codec: Codec;
  readonly options: CairnSaverOptions;
  /** What was put or read last in each trail, so that the next step there costs what it changes. */
  readonly last: Recent<string, RememberedCheckpoint>;
  readonly history: StateReader;
  /** The end of this turn of the event loop: what is saved there together shares a sync, as a step and its task's writes. */
  readonly endOfTurn: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** What a checkpoint of LangGraph is in a store: the rest of it stands in the checkpoint itself. */
export interface ThreadState {
  readonly v: number;
  readonly channels: JsonObject;
  readonly versions: Readonly<Record<string, number | string>>;
  readonly seen: object;
  readonly metadata: Json;
  /** Of a subgraph. */
  readonly namespace?: string;
  /** LangGraph's id of a parent that is not there. */
  readonly parent_id?: string;
  /** Its own, when another checkpoint says the same otherwise. */
  readonly id?: string;
}

/** A checkpoint that was put or read, by LangGraph's id: what the next one of its thread is encoded against. */
export interface RememberedCheckpoint {
  readonly id: string;
  readonly info: CheckpointInfo;
  readonly memory: Memory;
}

/** It is shared, so it must not be changed. */
export const stateOf = ({ memory }: RememberedCheckpoint) => recallShared(memory) as unknown as ThreadState;

/** So many characters of states are remembered, in all threads together. */
const MAX_CHARS = 48 * 1024 * 1024;

export async function openContext(options: CairnSaverOptions): Promise<SaverContext> {
  const { path = ".cairn" } = options;
  const cairn = options.store === undefined ? await openCairn({ path }) : undefined;
  const store = (options.store ?? cairn?.store) as Store;
  return {
    store,
    codec: createCodec(options),
    options,
    last: new Recent(MAX_CHARS, ({ memory }) => charsOf(memory.entry)),
    history: new StateReader((ids) => store.readObjects(ids)),
    endOfTurn: sharedTurn(),
    close: async () => cairn?.close(),
  };
}

/** All that wait in one turn continue together. */
function sharedTurn(): () => Promise<void> {
  let turn: Promise<void> | undefined;
  return () =>
    (turn ??= new Promise((resolve) => {
      setImmediate(() => {
        turn = undefined;
        resolve();
      });
    }));
}
