// The parts of @langchain/langgraph-checkpoint that the saver is made of, so that nothing has to be installed to build it. What
// is published refers to the user's own package; `npm run test:peers` compiles both against the real one.
declare module "@langchain/langgraph-checkpoint" {
  export type ChannelVersions = Record<string, number | string>;

  export interface Checkpoint {
    v: number;
    id: string;
    ts: string;
    channel_values: Record<string, unknown>;
    channel_versions: ChannelVersions;
    versions_seen: Record<string, ChannelVersions>;
  }

  export interface CheckpointMetadata {
    source: "input" | "loop" | "update" | "fork";
    step: number;
    parents: Record<string, string>;
  }

  export interface RunnableConfig {
    configurable?: Record<string, unknown>;
  }

  export type PendingWrite = [channel: string, value: unknown];
  export type CheckpointPendingWrite = [taskId: string, channel: string, value: unknown];

  export interface CheckpointTuple {
    config: RunnableConfig;
    checkpoint: Checkpoint;
    metadata?: CheckpointMetadata;
    parentConfig?: RunnableConfig;
    pendingWrites?: CheckpointPendingWrite[];
  }

  export interface CheckpointListOptions {
    limit?: number;
    before?: RunnableConfig;
    filter?: Record<string, unknown>;
  }

  export interface DeltaChannelHistory {
    writes: CheckpointPendingWrite[];
    seed?: unknown;
  }

  export interface SerializerProtocol {
    dumpsTyped(value: unknown): Promise<[string, Uint8Array]>;
    loadsTyped(type: string, data: Uint8Array | string): Promise<unknown>;
  }

  export abstract class BaseCheckpointSaver {
    serde: SerializerProtocol;
    constructor(serde?: SerializerProtocol);
    getNextVersion(current: number | undefined): number;
    abstract getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined>;
    abstract list(config: RunnableConfig, options?: CheckpointListOptions): AsyncGenerator<CheckpointTuple>;
    abstract put(
      config: RunnableConfig,
      checkpoint: Checkpoint,
      metadata: CheckpointMetadata,
      newVersions: ChannelVersions,
    ): Promise<RunnableConfig>;
    abstract putWrites(config: RunnableConfig, writes: PendingWrite[], taskId: string): Promise<void>;
    abstract deleteThread(threadId: string): Promise<void>;
    getDeltaChannelHistory(options: {
      config: RunnableConfig;
      channels: string[];
    }): Promise<Record<string, DeltaChannelHistory>>;
  }

  export class DeltaSnapshot {
    value: unknown;
    constructor(value: unknown);
  }

  export class MemorySaver {
    readonly serde: SerializerProtocol;
  }

  export const TASKS: string;
  export const INTERRUPT: string;
  export const WRITES_IDX_MAP: Record<string, number>;
  export function maxChannelVersion(...versions: (number | string)[]): number | string;
}

declare module "@langchain/core/messages" {
  const classes: Record<string, unknown>;
  export = classes;
}

declare module "@langchain/core/documents" {
  const classes: Record<string, unknown>;
  export = classes;
}
