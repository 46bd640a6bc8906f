import {
  BaseCheckpointSaver,
  WRITES_IDX_MAP,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointTuple,
  type DeltaChannelHistory,
  type PendingWrite,
  type RunnableConfig,
} from "@langchain/langgraph-checkpoint";
import { CheckpointError } from "../../core/errors.ts";
import { openContext, type CairnSaverOptions, type SaverContext } from "./context.ts";
import { copyThread, forkThread } from "./copy-thread.ts";
import { deltaHistory } from "./delta-history.ts";
import { listStored } from "./list-stored.ts";
import { addressIn, addressOf, belowThread, configOf, trailOf } from "./names.ts";
import { shortId } from "./short-ids.ts";
import { prune, removeRuns, type ThreadPruneOptions, type ThreadPruneResult } from "./prune-threads.ts";
import { putCheckpoint } from "./put-checkpoint.ts";
import { findStored, namesOf, readTuples } from "./read-tuples.ts";
import { recordOf } from "./stored-writes.ts";

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
  #context: Promise<SaverContext> | undefined;
  #isClosed = false;

  constructor(options: CairnSaverOptions = {}) {
    super(options.serde);
    this.#options = options;
  }

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const { thread, namespace, id } = addressOf(config);
    if (thread === undefined) return undefined;
    const context = await this.#open();
    const stored = await findStored(context, trailOf(thread, namespace), id);
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
    const address = addressIn(config, "thread_id");
    await putCheckpoint(await this.#open(), address, { checkpoint, metadata, newVersions });
    return configOf(address.thread, address.namespace, checkpoint.id);
  }

  /** A task that is tried again keeps what it wrote first, except for its special writes. */
  override async putWrites(config: RunnableConfig, writes: PendingWrite[], taskId: string): Promise<void> {
    const { thread, namespace, id } = addressIn(config, "thread_id", "checkpoint_id");
    const { store, codec, endOfTurn } = await this.#open();
    const records = new Map<string, Uint8Array>();
    for (const [position, [channel, value]] of writes.entries()) {
      const index = WRITES_IDX_MAP[channel] ?? position;
      records.set(...recordOf({ task: taskId, index, channel, json: await codec.write(value) }));
    }
    await endOfTurn();
    const to = { trail: trailOf(thread, namespace), foreignId: shortId(id as string) };
    const ifAbsent = !writes.every(([channel]) => channel in WRITES_IDX_MAP);
    if (records.size > 0) await store.attach(to, records, { ifAbsent });
  }

  /** Removes a thread with its subgraphs; `prune` gives the space back. Late writes of a run that was under way are refused. */
  override async deleteThread(threadId: string): Promise<void> {
    const context = await this.#open();
    const below = await namesOf(context, belowThread(threadId));
    await context.store.remove({ trails: [trailOf(threadId), ...below] });
  }

  override async getDeltaChannelHistory(options: {
    config: RunnableConfig;
    channels: string[];
  }): Promise<Record<string, DeltaChannelHistory>> {
    const { thread = "", namespace, id } = addressOf(options.config);
    const context = await this.#open();
    const stored = await findStored(context, trailOf(thread, namespace), id);
    return deltaHistory(context, stored, options.channels);
  }

  /** Copies a thread with all that is in it, under its own ids. The other thread must not exist. */
  async copyThread(from: string, to: string): Promise<void> {
    await copyThread(await this.#open(), from, { to, at: new Date() });
  }

  /** Starts another thread from one checkpoint of this one, without its history: the newest, or the one with this id. */
  async forkThread(from: string, to: string, checkpointId?: string): Promise<RunnableConfig> {
    return forkThread(await this.#open(), from, { to, at: new Date(), checkpointId });
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
    const context = await this.#context?.catch(() => undefined);
    await context?.close();
  }

  #open(): Promise<SaverContext> {
    if (!this.#isClosed) return (this.#context ??= openContext(this.#options));
    throw new CheckpointError("usage", "The saver is closed.", { hint: "Make a new CairnSaver." });
  }
}
