import { CheckpointError } from "../../errors.ts";
import type { ObjectId } from "../../objects/object-id.ts";
import type { JsonObject } from "../../objects/json.ts";
import type { ReadObjects } from "../../objects/read-tree.ts";
import type {
  Commit,
  LogEntry,
  Progress,
  Store,
  StoredCheckpoint,
  StoredTrail,
} from "../../store/contract.ts";
import { HIDDEN_PREFIX, isHidden } from "../../store/hidden-trails.ts";
import { commitOfStored, objectOf } from "../document.ts";
import { parseTrailName } from "../names.ts";
import { isStaging } from "../staging.ts";
import { newObjects } from "./new-objects.ts";

export interface StoreCopy {
  readonly trails: number;
  readonly checkpoints: number;
  /** How many of them were there already, as after a copy that was interrupted. */
  readonly present: number;
}

/** Bounds how many checkpoints are in memory with their bytes. */
const PAGE = 500;

/**
 * Copies every trail of a store into another one, in the order in which its checkpoints were committed, with records, foreign
 * ids and log; then checks that all of it is there. A copy that was interrupted is completed by calling again: heads move
 * last, so that nobody goes on with half a trail. Tombstones, and records of checkpoints that have not come, stay behind.
 *
 * @example
 * await copyStore(sqliteStore, postgresStore);
 */
export async function copyStore(from: Store, to: Store, { onProgress }: Progress = {}): Promise<StoreCopy> {
  // A name that nobody could have given here would break what lists it.
  for (const { name } of await from.trails()) parseTrailName(name);
  for (const { name } of await everyTrail(from)) await assertNotMoved(from, to, name);

  const present = await namesIn(to);
  const written = new Set<ObjectId>();
  const copied = new Set<string>();
  let [shown, found] = [0, 0];
  for await (const stored of everyCheckpoint(from)) {
    const name = nameOf(stored);
    if (!present.has(name)) {
      const records = (await from.attachments([stored.id])).get(stored.id);
      await copyCheckpoint((ids) => from.readObjects(ids), to, { ...stored, records }, written);
    }
    copied.add(name);
    if (isHidden(stored.trail)) continue;
    shown++;
    if (present.has(name)) found++;
    onProgress?.(shown, shown);
  }
  await moveHeads(from, to);
  await assertCopied(from, to, copied);
  return { trails: (await from.trails()).length, checkpoints: shown, present: found };
}

const nameOf = ({ id, trail }: Pick<StoredCheckpoint, "id" | "trail">) => `${id} ${trail}`;

async function namesIn(store: Store): Promise<Set<string>> {
  const names = new Set<string>();
  for await (const stored of everyCheckpoint(store)) names.add(nameOf(stored));
  return names;
}

/** With those that are hidden, such as tags, but not those of an import that is under way. */
async function everyTrail(store: Store): Promise<StoredTrail[]> {
  const hidden = await store.trails({ prefix: HIDDEN_PREFIX });
  return [...(await store.trails()), ...hidden.filter(({ name }) => !isStaging(name))];
}

async function* everyCheckpoint(store: Store): AsyncGenerator<StoredCheckpoint> {
  for (let afterSequence = 0; ;) {
    const page = await store.find({ afterSequence, limit: PAGE });
    yield* page;
    const last = page.at(-1);
    if (last === undefined) break;
    afterSequence = last.sequence;
  }
  for (const { name } of await everyTrail(store))
    if (isHidden(name)) yield* await store.find({ trail: name });
}

/** What is known of a checkpoint apart from what it refers to. */
export type CopiedCheckpoint = Omit<StoredCheckpoint, "sequence"> & Pick<Commit, "records">;

/** Copies a checkpoint with the objects that are not `written` yet, and notes them there. The head of its trail stays. */
export async function copyCheckpoint(
  read: ReadObjects,
  to: Store,
  { id, bytes, trail, parent, createdAt, foreignId, records }: CopiedCheckpoint,
  written: Set<ObjectId>,
): Promise<void> {
  const objects = await newObjects(id, parent, written, read);
  const checkpoint = objects.at(-1) ?? objectOf({ id, bytes });
  const change = { objects: objects.slice(0, -1), checkpoint, trail, parent, createdAt };
  await to.commit({ ...change, foreignId, records, revives: true });
  for (const object of objects) written.add(object.id);
}

/** The log's entries go with the last head: they must not be there before what they tell about. */
async function moveHeads(from: Store, to: Store): Promise<void> {
  const trails = await everyTrail(from);
  const log = await from.readLog();
  const there = await to.readLog();
  const news = entriesBeyond(log, there);
  if (there.length + news.length !== log.length) throw otherStore("its log tells another story");
  for (const [index, { name, head }] of trails.toReversed().entries()) {
    const [stored] = await to.find({ trail: name, idPrefix: head });
    const present = await to.head(name);
    const entries = index === trails.length - 1 ? news : [];
    if (stored === undefined || (present === head && entries.length === 0)) continue;
    await moveHead(to, stored, { from: present, log: entries });
  }
}

/** Makes a checkpoint that is there the head of its trail, with entries for the store's log. */
export async function moveHead(
  to: Store,
  stored: StoredCheckpoint,
  { from, log }: { readonly from: ObjectId | undefined; readonly log: readonly JsonObject[] },
): Promise<void> {
  const change = { ...commitOfStored(stored), trail: stored.trail, head: { from } };
  await to.commit(log.length === 0 ? change : { ...change, log });
}

/** What a log has that another lacks. New entries of a trail's chain may come before some that were copied. */
function entriesBeyond(log: readonly LogEntry[], there: readonly LogEntry[]): JsonObject[] {
  const known = new Map<string, number>();
  const countOf = (text: string) => known.get(text) ?? 0;
  for (const text of there.map(({ entry }) => JSON.stringify(entry))) known.set(text, countOf(text) + 1);
  return log.flatMap(({ entry }) => {
    const text = JSON.stringify(entry);
    if (countOf(text) === 0) return [entry];
    known.set(text, countOf(text) - 1);
    return [];
  });
}

async function assertNotMoved(from: Store, to: Store, trail: string): Promise<void> {
  const head = await to.head(trail);
  if (head === undefined || (await from.find({ trail, idPrefix: head })).length > 0) return;
  throw otherStore(`its trail "${trail}" has work of its own`);
}

async function assertCopied(from: Store, to: Store, copied: ReadonlySet<string>): Promise<void> {
  const there = await namesIn(to);
  const missing = [...copied].filter((name) => !there.has(name));
  const moved = [];
  for (const { name, head } of await everyTrail(from)) if ((await to.head(name)) !== head) moved.push(name);
  const { damage } = await to.verify();
  if (missing.length === 0 && moved.length === 0 && damage.length === 0) return;
  throw new CheckpointError("failed", "The copy is not the same as the store that it was made from.", {
    hint: "Copy again while nothing writes to either store.",
    details: { missing, moved, damage: damage.map(({ what }) => what) },
  });
}

function otherStore(why: string): CheckpointError {
  return new CheckpointError("conflict", `The other store cannot become a copy: ${why}.`, {
    hint: "Copy into a new store: another folder, or another schema.",
  });
}
