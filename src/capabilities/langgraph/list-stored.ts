import { isDeepStrictEqual } from "node:util";
import type { CheckpointListOptions, RunnableConfig } from "@langchain/langgraph-checkpoint";
import type { StoredCheckpoint } from "../../core/store/contract.ts";
import { addressOf } from "./address.ts";
import { readMetadata } from "./read-tuples.ts";
import type { SaverContext } from "./saver.ts";
import { shortId } from "./short-ids.ts";
import { compare } from "./stored-writes.ts";
import { belowThread, THREADS, trailOf } from "./threads.ts";

/** So many checkpoints are read together. */
const PAGE = 20;

/** The checkpoints that a caller of `list` means, newest first, in pages. */
export async function* listStored(
  context: SaverContext,
  config: RunnableConfig,
  { limit, before, filter = {} }: CheckpointListOptions,
): AsyncGenerator<StoredCheckpoint[]> {
  const { id } = addressOf(config);
  const below = before && addressOf(before).id;
  const wanted = Object.entries(filter).filter(([, value]) => value !== undefined);
  const isCounted = limit !== undefined && limit > 0;
  let left = isCounted ? limit : Infinity;
  const found: StoredCheckpoint[] = [];
  for (const trail of await trailsOf(context, config)) {
    const query = {
      trail,
      newestFirst: true,
      ...(id === undefined
        ? { byForeignId: { before: below && shortId(below) } }
        : { foreignId: shortId(id) }),
    };
    found.push(
      ...(await context.store.find({ ...query, ...(isCounted && wanted.length === 0 && { limit }) })),
    );
  }
  found.sort((a, b) => compare(b.foreignId ?? "", a.foreignId ?? ""));
  for (let start = 0; start < found.length && left > 0; start += PAGE) {
    const page = found.slice(start, start + PAGE);
    const fitting = wanted.length === 0 ? page : await filtered(context, page, wanted);
    yield fitting.slice(0, left);
    left -= fitting.length;
  }
}

async function trailsOf({ store }: SaverContext, config: RunnableConfig): Promise<string[]> {
  const { thread, namespace } = addressOf(config);
  const isOneNamespace = typeof config.configurable?.["checkpoint_ns"] === "string";
  if (thread !== undefined && isOneNamespace) return [trailOf(thread, namespace)];
  const prefix = thread === undefined ? THREADS : belowThread(thread);
  const names = (await store.trails({ prefix })).map(({ name }) => name);
  if (thread !== undefined) names.push(trailOf(thread, ""));
  // The namespace is the third part of a trail's name, in whichever thread.
  const below = trailOf("", namespace).split("/")[2];
  return isOneNamespace ? names.filter((name) => name.split("/")[2] === below) : names;
}

async function filtered(
  context: SaverContext,
  page: readonly StoredCheckpoint[],
  wanted: readonly (readonly [string, unknown])[],
): Promise<StoredCheckpoint[]> {
  const fits = await Promise.all(
    page.map(async (stored) => {
      const metadata = await readMetadata(context, stored);
      return wanted.every(([key, value]) => isDeepStrictEqual(metadata[key], value));
    }),
  );
  return page.filter((_, at) => fits[at]);
}
