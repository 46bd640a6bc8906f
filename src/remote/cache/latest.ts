import { createHash } from "node:crypto";

import { readCheckpoint } from "../../checkpoints/document.ts";
import { newObjects } from "../../checkpoints/transfer/new-objects.ts";
import { linksOf, type NewObject } from "../../objects/object-format.ts";
import type { ObjectId } from "../../objects/object-id.ts";
import type { Store } from "../../store/contract.ts";
import { openMemoryStore } from "../../store/sqlite.ts";
import type { RemoteHead } from "../head-document.ts";
import { decodeSection, encodeSection, sectionsOf } from "../packs/pack.ts";
import type { Sealing } from "../sealing.ts";
import { useCache } from "./redis-cache.ts";

/** Where the newest checkpoints of a remote are cached. */
export interface LatestCache {
  readonly url: string;
  /** The remote's URL: machines that use the same one meet. */
  readonly remote: string;
  readonly sealing: Sealing;
}

/** The newest checkpoint of a trail as somebody pushed it, in a store of its own. */
export interface CachedLatest extends Pick<RemoteHead, "trail" | "head" | "machine" | "at"> {
  readonly store: Store;
}

/** A larger state is read from the remote: a cache is for what many read. */
const LARGEST_BYTES = 4 * 1024 * 1024;

const WEEK_S = 7 * 24 * 60 * 60;
const LINE_FEED = 10;

/** Puts the head of a trail with its whole state into the cache, sealed as on the remote, and tells those who listen. */
export async function cacheLatest(
  cache: LatestCache,
  store: Store,
  head: Pick<RemoteHead, "trail" | "head" | "machine" | "at">,
): Promise<void> {
  const bytes = (await store.readObjects([head.head])).get(head.head);
  if (bytes === undefined) return;
  const { root } = readCheckpoint(head.head, bytes);
  const objects = await newObjects(root, undefined, new Set(), (ids) => store.readObjects(ids));
  const pack = encodeSection([{ id: head.head, bytes, objects }], [], 0);
  if (pack.length > LARGEST_BYTES) return;
  const { trail, head: id, machine, at } = head;
  const text = Buffer.from(`${JSON.stringify({ trail, head: id, machine, at })}\n`);
  const key = keyOf(cache, trail);
  const content = Buffer.concat([text, pack]);
  const value = Buffer.from(cache.sealing.seal(key, Buffer.concat([sumOf(content), content])));
  await useCache(cache.url, (redis) =>
    redis.multi().set(key, value, "EX", WEEK_S).publish(`${key}:moved`, id).exec(),
  );
}

/** Drops what is cached of a trail, as when it turned out to be old or wrong. */
export async function dropLatest(cache: LatestCache, trail: string): Promise<void> {
  await useCache(cache.url, (redis) => redis.del(keyOf(cache, trail)));
}

/**
 * What the cache has of a trail's newest checkpoint. Every object is checked against its hash, and the state is there as a
 * whole, or it counts as missing. Whether it is still the newest only the remote knows.
 */
export async function readLatest(cache: LatestCache, trail: string): Promise<CachedLatest | undefined> {
  const key = keyOf(cache, trail);
  const value = await useCache(cache.url, (redis) => redis.getBuffer(key));
  if (!value || value.length > LARGEST_BYTES * 2) return undefined;
  try {
    const opened = cache.sealing.open(key, value);
    const bytes = opened.subarray(SUM_BYTES);
    if (!sumOf(bytes).equals(opened.subarray(0, SUM_BYTES))) return undefined;
    const end = bytes.indexOf(LINE_FEED);
    const said = JSON.parse(Buffer.from(bytes.subarray(0, end)).toString("utf8")) as Omit<
      CachedLatest,
      "store"
    >;
    const [packed, ...more] = sectionsOf(bytes.subarray(end + 1)).flatMap((section) =>
      decodeSection(section, []),
    );
    if (packed === undefined || more.length > 0 || packed.id !== said.head || said.trail !== trail)
      return undefined;
    const store = await openMemoryStore();
    const asNew = ({ id, bytes: content }: { id: ObjectId; bytes: Uint8Array }): NewObject => ({
      id,
      bytes: content,
      links: linksOf(content),
    });
    const { info } = readCheckpoint(packed.id, packed.bytes);
    // Refused if anything is missing that the state refers to.
    await store.commit({
      objects: packed.objects.map(asNew),
      checkpoint: asNew(packed),
      trail,
      parent: undefined,
      createdAt: Date.parse(info.created_at),
      head: { from: undefined },
    });
    const { head, machine, at } = said;
    return { trail, head, machine, at, store };
  } catch {
    // Wrong bytes: the remote has the right ones.
    return undefined;
  }
}

/** Covers what no object's hash covers: who pushed it, and when. */
const sumOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();
const SUM_BYTES = 32;

function keyOf({ remote, sealing }: LatestCache, trail: string): string {
  const scope = createHash("sha256").update(remote).digest("hex").slice(0, 16);
  return `checkpoint:${scope}:${sealing.nameOf("heads", trail)}`;
}
