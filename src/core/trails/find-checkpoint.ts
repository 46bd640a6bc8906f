import { CheckpointError, isCheckpointError } from "../errors.ts";
import type { Store, StoredCheckpoint, Tombstone } from "../store/contract.ts";
import { isObjectId } from "../objects/object-id.ts";
import { readChecked } from "../objects/read-tree.ts";
import { checkpointIdOf, parseIdQuery } from "./names.ts";
import {
  infoOfStored,
  infoOrDamage,
  readCheckpoint,
  type CheckpointInfo,
  type UnloadedCheckpoint,
} from "./document.ts";
import { findReferred } from "./references.ts";
import { damagedCheckpoint, noCheckpoint, noParent } from "./trail-errors.ts";

/** The newest checkpoint of a trail; undefined when there is none yet. */
export async function findHead(store: Store, trail: string): Promise<UnloadedCheckpoint | undefined> {
  const id = await store.head(trail);
  if (id === undefined) return undefined;
  const objects = await readChecked([id], (ids) => store.readObjects(ids));
  return readCheckpoint(id, objects.get(id) as Uint8Array);
}

/** What is known of a trail's newest checkpoint, even if it is damaged. */
export async function findStoredHead(store: Store, trail: string): Promise<CheckpointInfo | undefined> {
  const id = await store.head(trail);
  const [stored] = id === undefined ? [] : await store.find({ idPrefix: id, trail, limit: 1 });
  return stored && infoOrDamage(stored);
}

/** The checkpoint with this id, or, without an id, the newest of the trail. */
export async function findCheckpoint(
  store: Store,
  trail: string,
  id: string | undefined,
): Promise<UnloadedCheckpoint> {
  const found = id === undefined ? await findHead(store, trail) : await findNamed(store, trail, id);
  if (found === undefined) throw noCheckpoint(trail);
  return found;
}

/** The checkpoint that a person names: by an id, by its place in the trail (`@~2`), or by a tag. */
async function findNamed(store: Store, trail: string, text: string): Promise<UnloadedCheckpoint> {
  return findById(store, (await findReferred(store, trail, text)) ?? text);
}

async function findById(store: Store, text: string): Promise<UnloadedCheckpoint> {
  const stored = await findStored(store, text);
  try {
    return readCheckpoint(stored.id, stored.bytes);
  } catch (error) {
    throw await namingDamaged(store, stored, error);
  }
}

/** What was thrown about a damaged checkpoint, with its name. What helps depends on whether it is a head. */
export async function namingDamaged(
  store: Store,
  stored: StoredCheckpoint,
  error: unknown,
): Promise<unknown> {
  if (!isCheckpointError(error, "corrupt") || (await store.head(stored.trail)) === stored.id) return error;
  return damagedCheckpoint(infoOrDamage(stored), error);
}

/** The checkpoint before this one. If it was pruned, the error says so. */
async function findParent(store: Store, info: CheckpointInfo): Promise<UnloadedCheckpoint> {
  if (info.parent_hash === null) throw noParent(info);
  return findById(store, info.parent_hash);
}

/** The two checkpoints to compare: by default the newest of the trail, and the one before the newer of the two. */
export async function findPair(
  store: Store,
  trail: string,
  ids: { readonly from?: string | undefined; readonly to?: string | undefined },
): Promise<{ from: UnloadedCheckpoint; to: UnloadedCheckpoint }> {
  const to = await findCheckpoint(store, trail, ids.to);
  const from =
    ids.from === undefined ? await findParent(store, to.info) : await findNamed(store, trail, ids.from);
  return { from, to };
}

/** Finds the one checkpoint that an id, the beginning of one, or a hash names, in any trail. */
export async function findStored(store: Store, text: string): Promise<StoredCheckpoint> {
  const found = await store.find({ ...parseIdQuery(text), limit: 200 });
  // The same checkpoint may stand in several trails.
  const matches = [
    ...new Map(found.filter((each) => fits(each, text)).map((each) => [each.id, each])).values(),
  ];
  const [only, ...others] = matches;
  if (only === undefined) throw await notFound(store, text);
  if (others.length > 0) throw ambiguous(text, matches);
  return only;
}

/** A whole id is searched by its tail alone, because its clock may have been wrong; then its date must match. */
function fits({ id, createdAt }: StoredCheckpoint, text: string): boolean {
  const tail = /^ckpt-\d+-\d+-([0-9a-f]{8,})$/.exec(text)?.[1];
  if (tail === undefined || Number.isNaN(new Date(createdAt).getTime())) return true;
  return checkpointIdOf(new Date(createdAt).toISOString(), id, tail.length) === text;
}

async function notFound(store: Store, text: string): Promise<CheckpointError> {
  const pruned = isObjectId(text) ? await store.tombstone(text) : undefined;
  const message = pruned
    ? `Checkpoint ${displayName(pruned)} of trail "${pruned.trail}" was pruned.`
    : `There is no checkpoint "${text}".`;
  return new CheckpointError("not-found", message, { hint: "checkpoint list --all", details: { id: text } });
}

function displayName({ id, createdAt }: Tombstone): string {
  const date = new Date(createdAt);
  return Number.isNaN(date.getTime()) ? id : checkpointIdOf(date.toISOString(), id);
}

function ambiguous(text: string, matches: readonly StoredCheckpoint[]): CheckpointError {
  const infos = matches.map(infoOfStored);
  const ids = new Set(infos.map((info) => info.checkpoint_id));
  // Two in the same second with the same short tail: show the whole one.
  const length = ids.size === infos.length ? 8 : 64;
  const names = infos.slice(0, 5).map((info) => checkpointIdOf(info.created_at, info.content_hash, length));
  return new CheckpointError(
    "usage",
    `"${text}" could be ${matches.length} checkpoints: ${names.join(", ")}${infos.length > 5 ? " …" : ""}.`,
    {
      hint: "Type more of the id: checkpoint list",
      details: { id: text, matches: infos.map((info) => info.content_hash) },
    },
  );
}
