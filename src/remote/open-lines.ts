import { readCheckpoint } from "../checkpoints/document.ts";
import type { ObjectId } from "../objects/object-id.ts";
import type { Store } from "../store/contract.ts";
import { isLineName, lineNames } from "./keep-line.ts";
import { lineBetween } from "./line.ts";

/** The lines of a trail that were kept beside it: `main@laptop` and the like. */
export async function keptLines(store: Store, trail: string): Promise<string[]> {
  const [first = ""] = lineNames(trail, "x");
  const prefix = isLineName(trail) ? trail : first.slice(0, -1);
  return (await store.trails({ prefix })).map(({ name }) => name).filter((name) => name !== trail);
}

/** Those of them that are not joined with the trail yet. */
export async function openLines(store: Store, trail: string): Promise<string[]> {
  const lines = await keptLines(store, trail);
  if (lines.length === 0) return lines;
  const contained = new Set<ObjectId>();
  const heads: (ObjectId | undefined)[] = [await store.head(trail)];
  for (let head = heads.pop(); head !== undefined; head = heads.pop()) {
    for (const { id, bytes } of (await lineBetween(store, undefined, head)).checkpoints) {
      const { merged_from } = readCheckpoint(id, bytes).info;
      if (merged_from !== undefined && !contained.has(merged_from)) heads.push(merged_from);
      contained.add(id);
    }
  }
  const isOpen = await Promise.all(
    lines.map(async (name) => !contained.has((await store.head(name)) as ObjectId)),
  );
  return lines.filter((_, index) => isOpen[index]);
}
