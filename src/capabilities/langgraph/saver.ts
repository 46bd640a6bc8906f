import {
  BaseCheckpointSaver,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointTuple,
  type DeltaChannelHistory,
  type PendingWrite,
  type RunnableConfig,
  type SerializerProtocol,
} from "@langchain/langgraph-checkpoint";
import { CheckpointError } from "../../core/errors.ts";
import type { Store } from "../../core/store/contract.ts";
import { openCairn } from "../../work/state/cairn.ts";
import { addressOf, configOf, type CheckpointAddress } from "./address.ts";
import { Codec, type SerializableClass } from "./codec.ts";
import { copyThread, forkThread } from "./copy-thread.ts";
import { deltaHistory } from "./delta-history.ts";
import { Memories } from "./memories.ts";
import { prune, removeRuns, type ThreadPruneOptions, type ThreadPruneResult } from "./prune-threads.ts";
import { putCheckpoint } from "./put-checkpoint.ts";
import { findStored, readTuples } from "./read-tuples.ts";
import { listStored } from "./list-stored.ts";
import { shortId } from "./short-ids.ts";
import { belowThread, trailOf } from "./threads.ts";
import { writeRecordsOf } from "./pending-writes.ts";

export interface CairnSaverOptions {
  /** The folder of the store; made if it is missing. Without one and without a store: `.cairn`. */
  readonly path?: string | undefined;
  /** An open store instead. Closing the saver leaves it open. */
  readonly store?: Store | undefined;
  /** Dumps and loads every value instead of us: the place to encrypt. */
  readonly serde?: SerializerProtocol | undefined;
  /** Classes of LangChain's kind that states may hold beside messages and documents. All else comes back as plain data. */
  readonly classes?: readonly SerializableClass[] | undefined;
  /**
   * `identity` promises that the program never changes a value of its state in place: then what is the same reference is not
   * compared again. By default everything is compared.
   */
  readonly recognition?: "verify" | "identity" | undefined;
  /** Refuses a checkpoint whose parent is not the newest of its thread any more (`conflict`), instead of making a fork. */
  readonly singleWriter?: boolean | undefined;
  /** Takes secrets out of values before they are stored. They do not come back. */
  readonly redact?: boolean | undefined;
  /** The clock, for checkpoints that are not dated. */
  readonly now?: (() => Date) | undefined;
}

/** What the parts of the saver work with. */
export interface SaverContext {
  readonly store: Store;
  readonly codec: Codec;
  readonly memories: Memories;
  readonly recognition: "verify" | "identity";
  readonly singleWriter: boolean;
  readonly now: () => Date;
  /** The end of this turn of the event loop: what is saved there together shares a sync, as a step and its task's writes. */
  readonly endOfTurn: () => Promise<void>;
}

/**
 * A checkpointer for LangGraph that keeps threads in a Cairn store: each step costs what it changes, a saved step survives a
 * power cut, and every value is checked when it is read.
 *
 * @example
 * import { CairnSaver } from "cairn-checkpoint/langgraph";
 *
 * const checkpointer = new CairnSaver({ path: ".cairn" });
 * const graph = builder.compile({ checkpointer });
 */
export class CairnSaver extends BaseCheckpointSaver {
  readonly #options: CairnSaverOptions;
  readonly #codec: Codec;
  #context: Promise<SaverContext> | undefined;
  #close: (() => Promise<void>) | undefined;
  #isClosed = false;

  constructor(options: CairnSaverOptions = {}) {
    super(options.serde);
    this.#options = options;
    this.#codec = new Codec(options);
  }

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const { thread, namespace, id } = addressOf(config);
    if (thread === undefined) return undefined;
    const context = await this.#open();
    const trail = trailOf(thread, namespace);
    const stored = await findStored(context, trail, id);
    return stored && (await readTuples(context, [stored]))[0];
  }

  override async *list(
    config: RunnableConfig,
    options: CheckpointListOptions = {},
  ): AsyncGenerator<CheckpointTuple> {
    const context = await this.#open();
    for await (const page of listStored(context, config, options)) yield* await readTuples(context, page);
  }

  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    const address = withThread(config);
    await putCheckpoint(await this.#open(), address, { checkpoint, metadata, newVersions });
    return configOf(address.thread, address.namespace, checkpoint.id);
  }

  override async putWrites(config: RunnableConfig, writes: PendingWrite[], taskId: string): Promise<void> {
    const { thread, namespace, id } = withThread(config);
    if (id === undefined) throw missing("checkpoint_id");
    const { store, codec, endOfTurn } = await this.#open();
    const { records, ifAbsent } = await writeRecordsOf(codec, writes, taskId);
    await endOfTurn();
    if (records.size > 0)
      await store.attach({ trail: trailOf(thread, namespace), foreignId: shortId(id) }, records, {
        ifAbsent,
      });
  }

  /** Removes a thread with its subgraphs; `prune` gives the space back. Late writes of a run that was under way are refused. */
  override async deleteThread(threadId: string): Promise<void> {
    const { store } = await this.#open();
    const below = await store.trails({ prefix: belowThread(threadId) });
    await store.remove({ trails: [trailOf(threadId, ""), ...below.map(({ name }) => name)] });
  }

  override async getDeltaChannelHistory(options: {
    config: RunnableConfig;
    channels: string[];
  }): Promise<Record<string, DeltaChannelHistory>> {
    const { thread, namespace, id } = addressOf(options.config);
    const context = await this.#open();
    const trail = trailOf(thread ?? "", namespace);
    const stored = await findStored(context, trail, id);
    return deltaHistory(context, stored, options.channels);
  }

  /** Copies a thread with all that is in it, under its own ids. The other thread must not exist. */
  async copyThread(from: string, to: string): Promise<void> {
    await copyThread(await this.#open(), from, to);
  }

  /** Starts another thread from one checkpoint of this one, without its history: the newest, or the one with this id. */
  async forkThread(from: string, to: string, checkpointId?: string): Promise<RunnableConfig> {
    return forkThread(await this.#open(), from, to, checkpointId);
  }

  /**
   * Removes old checkpoints and gives their space back. The newest of each thread stays, and so does one that waits for an
   * answer: an interrupt that nobody has resumed.
   */
  async prune(options: ThreadPruneOptions): Promise<ThreadPruneResult> {
    return prune(await this.#open(), options);
  }

  /** Removes the checkpoints that these runs wrote (`run_id` in their metadata). */
  async deleteForRuns(runIds: readonly string[]): Promise<void> {
    await removeRuns(await this.#open(), runIds);
  }

  /** Ends all use; waits for what was asked for. A second call does nothing. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#context?.catch(() => undefined);
    await this.#close?.();
  }

  #open(): Promise<SaverContext> {
    if (this.#isClosed) return Promise.reject(closed());
    return (this.#context ??= this.#makeContext());
  }

  async #makeContext(): Promise<SaverContext> {
    const {
      path = ".cairn",
      recognition = "verify",
      singleWriter = false,
      now = () => new Date(),
    } = this.#options;
    let { store } = this.#options;
    if (store === undefined) {
      const cairn = await openCairn({ path });
      this.#close = () => cairn.close();
      ({ store } = cairn);
    }
    const opened = store;
    const memories = new Memories((ids) => opened.readObjects(ids));
    const endOfTurn = sharedTurn();
    return { store: opened, codec: this.#codec, memories, recognition, singleWriter, now, endOfTurn };
  }
}

/** All who wait in one turn continue together. */
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

function withThread(config: RunnableConfig): CheckpointAddress & { readonly thread: string } {
  const address = addressOf(config);
  if (address.thread === undefined) throw missing("thread_id");
  return { ...address, thread: address.thread };
}

function missing(field: string): CheckpointError {
  return new CheckpointError("usage", `The config names no "${field}".`, {
    hint: `Pass it: { configurable: { ${field}: "…" } }`,
    details: { field },
  });
}

function closed(): CheckpointError {
  return new CheckpointError("usage", "The saver is closed.", { hint: "Make a new CairnSaver." });
}
