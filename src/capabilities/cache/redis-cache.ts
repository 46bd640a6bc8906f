import type { IPolicy } from "cockatiel";
import type { Redis } from "ioredis";

import { CheckpointError, packageMissing } from "../../core/errors.ts";

/** Whatever takes longer is not worth waiting for: the remote answers too. */
const PATIENCE_MS = 50;

/** Failures in a row after which it is not asked any more, and for how long. */
const FAILURES = 2;
const OPEN_MS = 5_000;

/** One for each server, for as long as the process lives. */
const policies = new Map<string, Promise<IPolicy>>();

/**
 * Uses a server that speaks the protocol of Redis. Undefined whenever that fails, takes too long or was not tried because it
 * failed before: a cache may be lost at any moment. Only a missing package is an error, with its remedy.
 */
export async function useCache<Result>(
  url: string,
  use: (redis: Redis) => Promise<Result>,
): Promise<Result | undefined> {
  const Client = await loadClient();
  const known = policies.get(url) ?? policyOf();
  policies.set(url, known);
  const policy = await known;
  const redis = new Client(assertCacheUrl(url), {
    lazyConnect: true,
    enableOfflineQueue: false,
    connectTimeout: PATIENCE_MS,
    commandTimeout: PATIENCE_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  // Each call is told of its own failure.
  redis.on("error", () => undefined);
  try {
    return await policy.execute(async () => {
      await redis.connect();
      return use(redis);
    });
  } catch {
    return undefined;
  } finally {
    redis.disconnect();
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

async function policyOf(): Promise<IPolicy> {
  const { circuitBreaker, ConsecutiveBreaker, handleAll, timeout, TimeoutStrategy, wrap } =
    await import("cockatiel");
  const breaker = circuitBreaker(handleAll, {
    halfOpenAfter: OPEN_MS,
    breaker: new ConsecutiveBreaker(FAILURES),
  });
  return wrap(breaker, timeout(PATIENCE_MS, TimeoutStrategy.Aggressive));
}

/** What was given is not repeated: it may hold a password. */
function assertCacheUrl(text: string): string {
  if (/^rediss?:$/.test(URL.parse(text)?.protocol ?? "")) return text;
  throw new CheckpointError("usage", "The cache is not named by the URL of a Redis or Valkey server.", {
    hint: "Write it as redis://host:6379 or rediss://host:6379, as cache: in your config or in CHECKPOINT_CACHE.",
  });
}
