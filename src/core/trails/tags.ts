import { CheckpointError } from "../errors.ts";
import type { ObjectId } from "../objects/object-id.ts";
import type { Store, StoredCheckpoint } from "../store/contract.ts";
import { HIDDEN_PREFIX } from "../store/hidden-trails.ts";
import { PIN_PREFIX } from "../store/removal-plan.ts";
import { objectOf } from "./document.ts";
import { lettersAsAscii } from "./names.ts";

/**
 * A tag is a name for a checkpoint. It is a hidden trail whose head is that checkpoint, so it is found at once; and the
 * checkpoint is pinned, so it stays where it is whatever is pruned.
 */
const PREFIX = `${HIDDEN_PREFIX}tag/`;

const trailOf = (name: string) => `${PREFIX}${name}`;
const pinOf = (name: string) => `${PIN_PREFIX}tag/${name}`;

const NAME = /^\w[\w.-]{0,99}$/;
/** What stands for something else where a checkpoint is named. */
const TAKEN = /^(?:latest|ckpt-.*|[0-9a-f]{4,64})$/;

const isTagName = (text: string) => NAME.test(lettersAsAscii(text)) && !TAKEN.test(text);

export function parseTagName(text: string): string {
  if (isTagName(text)) return text;
  const why = TAKEN.test(text) ? "it would be taken for an id" : "it has other characters, or too many";
  throw new CheckpointError("usage", `${JSON.stringify(text.slice(0, 60))} is not a tag: ${why}.`, {
    hint: 'Use letters, digits, "-", "_" and ".", as in v1.2 or before-migration.',
    details: { name: text.slice(0, 60) },
  });
}

/** The checkpoint with this tag, if there is one. */
export async function findTagged(store: Store, name: string): Promise<ObjectId | undefined> {
  return isTagName(name) ? store.head(trailOf(name)) : undefined;
}

/** Names a checkpoint. A name that another one had moves here. Returns the one that had it. */
export async function setTag(
  store: Store,
  name: string,
  stored: StoredCheckpoint,
): Promise<ObjectId | undefined> {
  const { id, createdAt } = stored;
  const trail = trailOf(parseTagName(name));
  const before = await store.head(trail);
  if (before === id) return before;
  // Pinned first: were it killed in between, too much would stay, not too little.
  await store.attach(id, new Map([[pinOf(name), new Uint8Array()]]));
  await store.commit({
    objects: [],
    checkpoint: objectOf(stored),
    trail,
    parent: undefined,
    createdAt,
    head: { from: before },
  });
  if (before !== undefined) await unpin(store, name, before);
  return before;
}

/** Takes a name off its checkpoint, which stays. Returns that, or undefined if there is no such tag. */
export async function deleteTag(store: Store, name: string): Promise<ObjectId | undefined> {
  const before = await findTagged(store, name);
  if (before === undefined) return undefined;
  await unpin(store, name, before);
  await store.remove({ trails: [trailOf(name)] });
  return before;
}

/** All tags and their checkpoints, the one that was set last first. */
export async function listTags(store: Store): Promise<{ name: string; id: ObjectId }[]> {
  const trails = await store.trails({ prefix: PREFIX });
  return trails.map(({ name, head }) => ({ name: name.slice(PREFIX.length), id: head }));
}

const unpin = (store: Store, name: string, id: ObjectId) => store.attach(id, new Map([[pinOf(name), null]]));
