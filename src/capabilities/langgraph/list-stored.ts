import { isDeepStrictEqual } from "node:util";
import type { CheckpointListOptions, RunnableConfig } from "@langchain/langgraph-checkpoint";
import type { StoredCheckpoint } from "../../core/store/contract.ts";
import { addressOf, belowThread, THREADS, trailOf } from "./names.ts";
import { compare, shortId } from "./short-ids.ts";
import { namesOf, readMetadata } from "./read-tuples.ts";
import type { SaverContext } from "./context.ts";

/** So many checkpoints are read together. */
const PAGE = 20;

/** The checkpoints that a caller of `list` means, newest first, in pages. */
export async function* listStored(
  context: SaverContext,
  config: RunnableConfig,
  { limit = 0, before, filter = {} }: CheckpointListOptions,
): AsyncGenerator<StoredCheckpoint[]> {
  const wanted = Object.entries(filter).filter(([, value]) => value !== undefined);
  let left = limit > 0 ? limit : Infinity;
  const { id } = addressOf(config);
  const below = before && addressOf(before).id;
  const which =
    id === undefined ? { byForeignId: { before: below && shortId(below) } } : { foreignId: shortId(id) };
  const most = limit > 0 && wanted.length === 0 ? limit : undefined;
  const trails = await trailsOf(context, config);
  const found = await Promise.all(
    trails.map((trail) => context.store.find({ trail, ...which, newestFirst: true, limit: most })),
  );
  const all = found.flat().toSorted((a, b) => compare(b.foreignId ?? "", a.foreignId ?? ""));
  for (let start = 0; start < all.length && left > 0; start += PAGE) {
    const page = await filtered(context, all.slice(start, start + PAGE), wanted);
    yield page.slice(0, left);
    left -= page.length;
  }
}

async function trailsOf(context: SaverContext, config: RunnableConfig): Promise<string[]> {
  const { thread, namespace } = addressOf(config);
  const isOneNamespace = typeof config.configurable?.["checkpoint_ns"] === "string";
  if (thread !== undefined && isOneNamespace) return [trailOf(thread, namespace)];
  const prefix = thread === undefined ? THREADS : belowThread(thread);
  const names = await namesOf(context, prefix);
  if (thread !== undefined) names.push(trailOf(thread));
  // The namespace is the third part of a trail's name, in every thread.
  const below = trailOf("", namespace).split("/")[2];
  return isOneNamespace ? names.filter((name) => name.split("/")[2] === below) : names;
}

async function filtered(
  context: SaverContext,
  page: readonly StoredCheckpoint[],
  wanted: readonly (readonly [string, unknown])[],
): Promise<StoredCheckpoint[]> {
  if (wanted.length === 0) return [...page];
  const metadata = await Promise.all(page.map((stored) => readMetadata(context, stored)));
  return page.filter((_, at) =>
    wanted.every(([key, value]) => isDeepStrictEqual(metadata[at]?.[key], value)),
  );
}
