import { CheckpointError } from "../errors.ts";
import type { ObjectId } from "../objects/object-id.ts";
import type { Store } from "../store/contract.ts";
import { findTagged } from "./tags.ts";
import { noCheckpoint } from "./trail-errors.ts";

/** `@` or `latest` is the newest of the trail; `@~` the one before it, `@~2` the one before that. */
const RELATIVE = /^(?:@|latest)(?:~(?<steps>\d{0,6}))?$/;

/** Whether a word stands for a place in a trail. */
export function isRelative(text: string): boolean {
  return RELATIVE.test(text);
}

/** The checkpoint that a word stands for: its place in the trail, or a tag. Undefined for what is meant as an id. */
export async function findReferred(store: Store, trail: string, text: string): Promise<ObjectId | undefined> {
  const relative = RELATIVE.exec(text);
  if (relative === null) return findTagged(store, text);
  const steps = relative.groups?.["steps"];
  const back = steps === undefined ? 0 : steps === "" ? 1 : Number(steps);
  const head = await store.head(trail);
  if (head === undefined) throw noCheckpoint(trail);
  const line = await store.lineage(head, { limit: back + 1 });
  return line[back]?.id ?? tooFarBack(trail, text, line.length);
}

function tooFarBack(trail: string, text: string, count: number): never {
  const what = count === 1 ? "one checkpoint" : `${count} checkpoints`;
  throw new CheckpointError("not-found", `There is no "${text}": trail "${trail}" goes back ${what}.`, {
    hint: "checkpoint list",
    details: { trail, reference: text, count },
  });
}
