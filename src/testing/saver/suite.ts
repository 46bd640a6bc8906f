import type { TestRunner } from "../test-runner.ts";

/** Names a thread, a namespace in it and a checkpoint, as LangGraph does. */
export interface SaverConfig {
  configurable?: Record<string, unknown>;
}

type PendingWriteUnderTest = [task: string, channel: string, value: unknown];

interface TupleUnderTest {
  readonly config: SaverConfig;
  readonly checkpoint: {
    readonly id: string;
    readonly ts: string;
    readonly channel_values: Record<string, unknown>;
  };
  readonly pendingWrites?: PendingWriteUnderTest[];
}

/**
 * A checkpointer of LangGraph (its types are written down, so that nothing has to be installed), and what some can do beside the
 * interface: a test that needs a method fails for a saver that lacks it.
 */
export interface SaverUnderTest {
  getTuple(config: SaverConfig): Promise<TupleUnderTest | undefined>;
  list(config: SaverConfig, options?: object): AsyncGenerator<TupleUnderTest>;
  put(config: SaverConfig, checkpoint: never, metadata: never, newVersions: never): Promise<SaverConfig>;
  putWrites(config: SaverConfig, writes: [channel: string, value: unknown][], taskId: string): Promise<void>;
  deleteThread(threadId: string): Promise<void>;
  getDeltaChannelHistory(options: {
    config: SaverConfig;
    channels: string[];
  }): Promise<Record<string, { writes: PendingWriteUnderTest[] }>>;
  copyThread?(from: string, to: string): Promise<unknown>;
  forkThread?(from: string, to: string, checkpointId?: string): Promise<unknown>;
  prune?(options: {
    keepLast?: number;
    olderThan?: Date;
    dryRun?: boolean;
  }): Promise<{ removed: number; kept: number }>;
  deleteForRuns?(runIds: readonly string[]): Promise<unknown>;
}

export interface SaverTestOptions extends TestRunner {
  /** Opens a saver that refuses the second writer of two. Without it nothing is tested about that. */
  readonly openStrict?: (() => Promise<OpenedSaver>) | undefined;
  /** Makes a message of LangChain's. Without it classes are not tested. */
  readonly makeMessage?: ((content: string) => unknown) | undefined;
}

export interface OpenedSaver {
  readonly saver: SaverUnderTest;
  readonly end: () => Promise<void>;
  /** Changes bytes of what is stored, text for text where it can be read, and opens a saver on it anew. */
  readonly tamper?:
    | ((what: "state" | "writes", from: string, to: string) => Promise<SaverUnderTest>)
    | undefined;
}

/** What a topic says what it tests with. Every saver it gets is fresh, and ended for it. */
export interface SaverSuite {
  readonly options: SaverTestOptions;
  readonly test: (name: string, body: (opened: OpenedSaver) => Promise<void>) => void;
  readonly testStrict: (name: string, body: (opened: OpenedSaver) => Promise<void>) => void;
}

export function createSaverSuite(open: () => Promise<OpenedSaver>, options: SaverTestOptions): SaverSuite {
  const running = (from: () => Promise<OpenedSaver>) => {
    return (name: string, body: (opened: OpenedSaver) => Promise<void>) => {
      options.it(name, async () => {
        const opened = await from();
        try {
          await body(opened);
        } finally {
          await opened.end();
        }
      });
    };
  };
  const leftOut: SaverSuite["testStrict"] = (name) => {
    options.it.skip(`${name} [left out: testSaver was called without openStrict]`, () => Promise.resolve());
  };
  const testStrict = options.openStrict ? running(options.openStrict) : leftOut;
  return { options, test: running(open), testStrict };
}

let count = 0;

/** An id that sorts behind those that were made before, as LangGraph's do. */
export function nextId(): string {
  return `1ef00000-0000-6000-8000-${String(++count).padStart(12, "0")}`;
}

interface StepOptions {
  readonly id?: string;
  readonly versions?: Record<string, number>;
  /** The channels that changed. All, if it is not given. */
  readonly changed?: readonly string[];
  readonly metadata?: Record<string, unknown>;
}

/** Puts a checkpoint with these values on top of another, and returns its config. */
export async function step(
  saver: SaverUnderTest,
  on: SaverConfig,
  values: Record<string, unknown>,
  { id = nextId(), versions, changed = Object.keys(values), metadata = {} }: StepOptions = {},
): Promise<SaverConfig> {
  const all = versions ?? Object.fromEntries(Object.keys(values).map((channel) => [channel, count]));
  const newVersions = Object.fromEntries(changed.map((channel) => [channel, all[channel] ?? 1]));
  const checkpoint = {
    v: 4,
    id,
    ts: new Date(1_700_000_000_000 + count * 1000).toISOString(),
    channel_values: values,
    channel_versions: all,
    versions_seen: {},
  };
  const known = { source: "loop", step: count, parents: {}, ...metadata };
  return saver.put(on, checkpoint as never, known as never, newVersions as never);
}

export function thread(id: string, namespace = ""): SaverConfig {
  return { configurable: { thread_id: id, checkpoint_ns: namespace } };
}

export async function valuesOf(saver: SaverUnderTest, config: SaverConfig) {
  return (await saver.getTuple(config))?.checkpoint.channel_values;
}

export async function writesOf(saver: SaverUnderTest, config: SaverConfig): Promise<unknown[]> {
  return ((await saver.getTuple(config))?.pendingWrites ?? []).map(([, channel, value]) => [channel, value]);
}

export async function listed(saver: SaverUnderTest, config: SaverConfig, options = {}): Promise<string[]> {
  const ids: string[] = [];
  for await (const { checkpoint } of saver.list(config, options)) ids.push(checkpoint.id);
  return ids;
}

export const idOf = (config: SaverConfig) => config.configurable?.["checkpoint_id"] as string;
