import type { Redis } from "ioredis";
import { createHash } from "node:crypto";

import { readCheckpoint } from "../../core/trails/document.ts";
import { newObjects } from "../../core/trails/transfer/new-objects.ts";
import type { Store } from "../../core/store/contract.ts";
import { openMemoryStore } from "../../core/store/sqlite.ts";
import type { RemoteHead } from "./documents.ts";
import { decodeSection, encodeSection, sectionsOf } from "./packs/pack.ts";
import { commitOf } from "./pull.ts";
import type { Sealing } from "./sealing.ts";
import { openListener, useCache, writeCache } from "../cache/redis-cache.ts";

/** Where the newest checkpoints of a remote are cached. */
export interface LatestCache {
  readonly url: string;
  /** The remote's URL: machines that use the same one meet. */
  readonly remote: string;
  readonly sealing: Sealing;
}

type PushedHead = Pick<RemoteHead, "trail" | "head" | "machine" | "at">;

/** The newest checkpoint of a trail as somebody pushed it, in a store of its own. */
export interface CachedLatest extends PushedHead {
  readonly store: Store;
}

/** A larger state is read from the remote: a cache is for what many read. */
const LARGEST_BYTES = 4 * 1024 * 1024;

const WEEK_S = 7 * 24 * 60 * 60;
const LINE_FEED = 10;

/**
 * Puts the head of a trail with its whole state into the cache, sealed as on the remote, and tells those who listen. Whether
 * the cache took it.
 */
export async function cacheLatest(
  cache: LatestCache,
  store: Store,
  { trail, head: id, machine, at }: PushedHead,
): Promise<boolean> {
  const bytes = (await store.readObjects([id])).get(id);
  if (bytes === undefined) return true;
  const { root } = readCheckpoint(id, bytes);
  const objects = await newObjects(root, undefined, new Set(), (ids) => store.readObjects(ids));
  const pack = encodeSection([{ id, bytes, objects }], [], 0);
  // What was cached before is no longer the newest, whatever becomes of this one.
  if (pack.length > LARGEST_BYTES) return dropLatest(cache, trail, id);
  const text = Buffer.from(`${JSON.stringify({ trail, head: id, machine, at })}\n`);
  const key = keyOf(cache, trail);
  const content = Buffer.concat([text, pack]);
  const value = Buffer.from(cache.sealing.seal(key, Buffer.concat([sumOf(content), content])));
  const taken = await writeCache(cache.url, (redis) =>
    redis.multi().set(key, value, "EX", WEEK_S).publish(`${key}:moved`, id).exec(),
  );
  return taken !== undefined;
}

/** Drops what is cached of a trail, as when it turned out to be old or wrong, and tells those who listen. */
export async function dropLatest(cache: LatestCache, trail: string, head = ""): Promise<boolean> {
  const key = keyOf(cache, trail);
  const drop = (redis: Redis) => redis.multi().del(key).publish(`${key}:moved`, head).exec();
  return (await writeCache(cache.url, drop)) !== undefined;
}

/**
 * Calls `told` when somebody moved a head of the remote, with its hash where that is known, until it is ended. Also calls it
 * whenever the connection is back, because messages may have been missed. Advisory only: a message may never come.
 */
export async function listenForMoves(
  cache: LatestCache,
  told: (head: string) => void,
): Promise<{ end(): void }> {
  const redis = await openListener(cache.url);
  redis.on("pmessage", (_pattern, _channel, head) => told(head));
  redis.on("ready", () => told(""));
  // Whatever fails is tried again by the client itself.
  redis.psubscribe(`${keyPrefix(cache)}heads/*:moved`).catch(() => undefined);
  return { end: () => redis.disconnect() };
}

/** What the cache has of a trail's newest checkpoint. Whether it is still the newest only the remote knows. */
export async function readLatest(cache: LatestCache, trail: string): Promise<CachedLatest | undefined> {
  const value = await useCache(cache.url, (redis) => redis.getBuffer(keyOf(cache, trail)));
  return value ? openLatest(cache, trail, value) : undefined;
}

/**
 * Takes a value from the cache apart. Every object is checked against its hash, and the state is there as a whole, or it
 * counts as missing.
 */
export async function openLatest(
  cache: LatestCache,
  trail: string,
  value: Uint8Array,
): Promise<CachedLatest | undefined> {
  if (value.length > LARGEST_BYTES * 2) return undefined;
  try {
    const opened = cache.sealing.open(keyOf(cache, trail), value);
    const bytes = opened.subarray(SUM_BYTES);
    if (!sumOf(bytes).equals(opened.subarray(0, SUM_BYTES))) return undefined;
    const end = bytes.indexOf(LINE_FEED);
    const pushed = JSON.parse(Buffer.from(bytes.subarray(0, end)).toString("utf8")) as PushedHead;
    const sections = sectionsOf(bytes.subarray(end + 1));
    const [packed, ...more] = sections.flatMap((section) => decodeSection(section, []));
    if (packed?.id !== pushed.head || more.length > 0 || pushed.trail !== trail) return undefined;
    const store = await openMemoryStore();
    // Refused if anything is missing that the state refers to.
    await store.commit({ ...(await commitOf(store, packed)), trail, head: { from: undefined } });
    const { head, machine, at } = pushed;
    return { trail, head, machine, at, store };
  } catch {
    // Wrong bytes: the remote has the right ones.
    return undefined;
  }
}

/** Covers what no object's hash covers: who pushed it, and when. */
const sumOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();
const SUM_BYTES = 32;

const keyOf = (cache: LatestCache, trail: string) =>
  `${keyPrefix(cache)}${cache.sealing.nameOf("heads", trail)}`;

const keyPrefix = ({ remote }: LatestCache) =>
  `checkpoint:${createHash("sha256").update(remote).digest("hex").slice(0, 16)}:`;
