import type { IPolicy } from "cockatiel";
import type { Redis } from "ioredis";

import { CheckpointError, packageMissing } from "../../core/errors.ts";

/** A read that takes longer is not worth waiting for: the remote answers too. */
const PATIENCE_MS = 50;
/** What is not written there is not found there for a week. */
const WRITE_PATIENCE_MS = 3_000;

/** Failures in a row after which it is not asked any more, and for how long. */
const FAILURES = 2;
const OPEN_MS = 5_000;

/** One for each server, for as long as the process lives. */
const breakers = new Map<string, Promise<IPolicy>>();

/**
 * Uses a server that speaks the protocol of Redis. Undefined whenever that fails, takes too long or was not tried because it
 * failed before: a cache may be lost at any moment. Only a missing package is an error, with its remedy.
 */
export async function useCache<Result>(
  url: string,
  use: (redis: Redis) => Promise<Result>,
): Promise<Result | undefined> {
  return within(url, PATIENCE_MS, use);
}

/** The same for what others will look for: waits for seconds. The caller warns when it is undefined. */
export async function writeCache<Result>(
  url: string,
  use: (redis: Redis) => Promise<Result>,
): Promise<Result | undefined> {
  return within(url, WRITE_PATIENCE_MS, use);
}

async function within<Result>(
  url: string,
  patienceMs: number,
  use: (redis: Redis) => Promise<Result>,
): Promise<Result | undefined> {
  const connection = await connectionTo(url);
  const { timeout, TimeoutStrategy, wrap } = await import("cockatiel");
  const known = breakers.get(url) ?? openBreaker();
  breakers.set(url, known);
  const policy = wrap(await known, timeout(patienceMs, TimeoutStrategy.Aggressive));
  try {
    return await policy.execute(() => connection.use(use));
  } catch {
    connection.drop();
    return undefined;
  }
}

const connections = new Map<string, CacheConnection>();

async function connectionTo(url: string): Promise<CacheConnection> {
  const Client = await loadClient();
  const known = connections.get(url) ?? new CacheConnection(Client, assertCacheUrl(url));
  connections.set(url, known);
  return known;
}

interface Opened {
  readonly redis: Redis;
  readonly connected: Promise<void>;
}

/** Kept between calls, because connecting takes longer than a read. It keeps no process alive that has nothing else to do. */
class CacheConnection {
  readonly #open: () => Opened;
  #opened: Opened | undefined;
  #users = 0;

  constructor(Client: typeof Redis, url: string) {
    this.#open = () => {
      const redis = new Client(url, {
        lazyConnect: true,
        connectTimeout: WRITE_PATIENCE_MS,
        maxRetriesPerRequest: 0,
        retryStrategy: () => null,
      });
      // Each call is told of its own failure.
      redis.on("error", () => undefined);
      redis.on("end", () => this.#forget(redis));
      const connected = redis.connect();
      // Told to those who wait for it.
      connected.catch(() => undefined);
      return { redis, connected };
    };
  }

  async use<Result>(work: (redis: Redis) => Promise<Result>): Promise<Result> {
    const { redis, connected } = (this.#opened ??= this.#open());
    this.#users++;
    try {
      await connected;
      redis.stream.ref();
      return await work(redis);
    } finally {
      this.#users--;
      if (this.#users === 0 && redis.status === "ready") redis.stream.unref();
    }
  }

  /** After a failure: an answer that comes late must not be in the way of the next one. */
  drop(): void {
    this.#opened?.redis.disconnect();
    this.#opened = undefined;
  }

  #forget(redis: Redis): void {
    if (this.#opened?.redis === redis) this.#opened = undefined;
  }
}

/** A connection that only listens. It comes back by itself, and fails nobody. */
export async function openListener(url: string): Promise<Redis> {
  const Client = await loadClient();
  const redis = new Client(assertCacheUrl(url), {
    maxRetriesPerRequest: null,
    retryStrategy: (tries) => Math.min(tries * 200, OPEN_MS),
  });
  redis.on("error", () => undefined);
  return redis;
}

async function loadClient() {
  const { Redis: Client } = await import("ioredis").catch(
    packageMissing("A cache in Redis or Valkey needs the package ioredis.", "ioredis@6"),
  );
  return Client;
}

async function openBreaker(): Promise<IPolicy> {
  const { circuitBreaker, ConsecutiveBreaker, handleAll } = await import("cockatiel");
  return circuitBreaker(handleAll, { halfOpenAfter: OPEN_MS, breaker: new ConsecutiveBreaker(FAILURES) });
}

/** What was given is not repeated: it may hold a password. */
function assertCacheUrl(text: string): string {
  if (/^rediss?:$/.test(URL.parse(text)?.protocol ?? "")) return text;
  throw new CheckpointError("usage", "The cache is not named by the URL of a Redis or Valkey server.", {
    hint: "Write it as redis://host:6379 or rediss://host:6379, as cache: in your config or in CHECKPOINT_CACHE.",
  });
}
