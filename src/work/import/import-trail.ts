import type { NewObject } from "../../core/objects/object-format.ts";
import type { ObjectId } from "../../core/objects/object-id.ts";
import type { Progress, Store } from "../../core/store/contract.ts";
import { collectHistory } from "../../core/trails/collect-history.ts";
import { parseTrailName } from "../../core/trails/names.ts";
import { importTrigger } from "./merge-import.ts";
import { isOwn, recordImport } from "../../core/trails/import-record.ts";
import { following, isImportOf, markHead, type TrailCommit } from "./imported-head.ts";
import { originOf } from "./origin.ts";
import { trailExists } from "../../core/trails/trail-errors.ts";
import { readTrailFile, type TrailEntry } from "../../core/trails/transfer/read-trail-file.ts";
import { removeAbandonedImports, stagingTrail } from "../../core/trails/staging.ts";
import { damagedLine, type HeaderLine } from "../../core/trails/transfer/trail-file.ts";

export interface ImportTrailOptions extends Progress {
  /** The file's name, for messages and for the record of where the trail came from. */
  readonly source: string;
  readonly now: Date;
  /** Another name for the trail. */
  readonly as?: string | undefined;
  /** Take the file's word for who recorded what, because it is the user's own export. */
  readonly trust?: boolean | undefined;
  /** Throws for a name that is kept for something else. Asked before anything is written. */
  readonly assertName?: ((trail: string) => void) | undefined;
}

export interface TrailImport {
  readonly trail: string;
  readonly head: ObjectId;
  readonly checkpoints: number;
  /** Whether the very same trail was there before: then nothing was changed. */
  readonly wasThere: boolean;
}

type CheckpointEntry = Extract<TrailEntry, { kind: "checkpoint" }>;

/**
 * Imports the export of a trail. The file is read twice: first checked from end to end, so that a damaged one
 * changes nothing, then gathered in a hidden trail, which becomes the trail in one step when all of it is there. An
 * import that was interrupted leaves nothing to be seen, and is repeated by calling again.
 *
 * Checkpoints are copied byte for byte, so their hashes stay. What they say of who recorded what is a claim, unless
 * the file is trusted: then one checkpoint more, with the trigger `import`, has the state of the old head with all its
 * words marked as imported. Under another name one more follows as well, because the old ones still say the old name.
 *
 * @example
 * await importTrail(cairn.store, () => createReadStream("main.cairn"), { source: "main.cairn", as: "main-2", now: new Date() });
 */
export async function importTrail(
  store: Store,
  open: () => AsyncIterable<Uint8Array>,
  options: ImportTrailOptions,
): Promise<TrailImport> {
  const { source, now } = options;
  const { header, sha256 } = await checkFile(open(), source);
  const trail = parseTrailName(options.as ?? header.trail);
  options.assertName?.(trail);
  const isRenamed = trail !== header.trail;
  const present = await store.head(trail);
  const result = { trail, head: header.head, checkpoints: header.checkpoints };
  if (present !== undefined) {
    if (isRenamed || !(await isImportOf(store, present, header.head)))
      throw trailExists(trail, `Import it under another name: checkpoint import FILE --as ${trail}-imported`);
    return { ...result, head: present, wasThere: true };
  }

  await removeAbandonedImports(store, now);
  const staging = stagingTrail(now);
  try {
    const entry = await commitAll(store, open(), { ...options, trail: staging, header, sha256 });
    const at = now.toISOString();
    const trusted = options.trust === true;
    const ids = await collectHistory(store, staging, ({ id }) => id);
    const { id: head } = entry.object;
    await recordImport(store, { ids, head, trail: staging }, { source, at, sha256, trusted });
    const isBelieved = await isOwn(store, head);
    const marked = isBelieved ? undefined : await markHead(store, entry, originOf(source, now).by);
    const notes = isRenamed ? `Imported from trail "${header.trail}"` : `Imported from ${source}`;
    const change =
      isRenamed || marked !== undefined
        ? following(entry, { trail, created_at: at, notes, trigger: importTrigger(isBelieved), marked })
        : await changeOf(store, entry);
    await store.commit({ ...change, trail, head: { from: undefined }, adopts: staging, revives: true });
    return { ...result, head: change.checkpoint.id, wasThere: false };
  } catch (error) {
    // Should this fail too, as it may for the same reason, the next import or prune removes what is left.
    await store.remove({ trails: [staging] }).catch(() => undefined);
    throw error;
  }
}

async function checkFile(
  chunks: AsyncIterable<Uint8Array>,
  source: string,
): Promise<{ header: HeaderLine; sha256: string }> {
  let header: HeaderLine | undefined;
  let sha256 = "";
  for await (const entry of readTrailFile(chunks, source)) {
    if (entry.kind === "header") header = entry.header;
    if (entry.kind === "end") sha256 = entry.sha256;
  }
  return { header: header as HeaderLine, sha256 };
}

interface CommitAllOptions extends ImportTrailOptions {
  readonly trail: string;
  readonly header: HeaderLine;
  readonly sha256: string;
}

/** Commits every checkpoint to the staging trail. Returns the one that is to become the head. */
async function commitAll(
  store: Store,
  chunks: AsyncIterable<Uint8Array>,
  options: CommitAllOptions,
): Promise<CheckpointEntry> {
  const { source, trail, header, sha256, onProgress } = options;
  let objects: NewObject[] = [];
  let from: ObjectId | undefined;
  let head: CheckpointEntry | undefined;
  let done = 0;
  let found = "";
  for await (const entry of readTrailFile(chunks, source)) {
    if (entry.kind === "object") objects.push(entry.object);
    if (entry.kind === "end") found = entry.sha256;
    if (entry.kind !== "checkpoint") continue;
    const { records } = entry;
    await store.commit({ ...(await changeOf(store, entry)), objects, trail, head: { from }, records });
    objects = [];
    from = entry.object.id;
    if (entry.object.id === header.head) head = entry;
    onProgress?.(++done, header.checkpoints);
  }
  if (head === undefined || found !== sha256)
    throw damagedLine(source, 1, "the file changed while it was read");
  return head;
}

async function changeOf(
  store: Store,
  { object, info, hasParentHere }: CheckpointEntry,
): Promise<TrailCommit> {
  const isPresent = hasParentHere || (await isKnown(store, info.parent_hash));
  const parent = isPresent ? (info.parent_hash ?? undefined) : undefined;
  return { objects: [], checkpoint: object, parent, createdAt: Date.parse(info.created_at) };
}

/** A parent that is not in the file is named to the store only if the store can tell what became of it. */
async function isKnown(store: Store, id: ObjectId | null): Promise<boolean> {
  if (id === null) return false;
  const present = await store.find({ idPrefix: id, limit: 1 });
  return present.length > 0 || (await store.tombstone(id)) !== undefined;
}
