import { CheckpointError } from "../../errors.ts";
import type { NewObject } from "../../objects/object-format.ts";
import type { ObjectId } from "../../objects/object-id.ts";
import type { Progress, Store } from "../../store/contract.ts";
import { writeCheckpoint, type CheckpointInfo } from "../document.ts";
import { parseTrailName } from "../names.ts";
import { readTrailFile, type TrailEntry } from "./read-trail-file.ts";
import { damagedLine, IMPORT_RECORD, type HeaderLine } from "./trail-file.ts";

export interface ImportTrailOptions extends Progress {
  /** The file's name, for messages and for the record of where the trail came from. */
  readonly source: string;
  readonly now: Date;
  /** Another name for the trail. */
  readonly as?: string | undefined;
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
 * changes nothing, then committed. The trail has no head, and so does not show, until all of it is there; an import
 * that was interrupted is repeated by calling again.
 *
 * Checkpoints are copied byte for byte, so their hashes stay. Under another name they still say the old one: then
 * one checkpoint more, with the trigger `import`, brings the state of the old head to the new trail.
 *
 * @example
 * await importTrail(cairn.store, () => createReadStream("main.cairn"), { source: "main.cairn", now: new Date() });
 */
export async function importTrail(
  store: Store,
  open: () => AsyncIterable<Uint8Array>,
  options: ImportTrailOptions,
): Promise<TrailImport> {
  const { source, now } = options;
  const { header, sha256 } = await checkFile(open(), source);
  const trail = parseTrailName(options.as ?? header.trail);
  const isRenamed = trail !== header.trail;
  const present = await store.head(trail);
  if (present !== undefined && (isRenamed || present !== header.head)) throw trailExists(trail);
  const result = { trail, head: header.head, checkpoints: header.checkpoints };
  if (present !== undefined) return { ...result, wasThere: true };

  const head = await commitAll(store, open(), { ...options, trail, header, sha256 });
  const at = now.toISOString();
  if (isRenamed) {
    const moved = renamed(head, trail, at, header.trail);
    await moveHead(store, trail, moved.object, moved.info);
    return { ...result, head: moved.object.id, wasThere: false };
  }
  const record = new TextEncoder().encode(JSON.stringify({ source, at, sha256 }));
  await store.attach(head.object.id, new Map([[IMPORT_RECORD, record]]));
  await moveHead(store, trail, head.object, head.info);
  return { ...result, wasThere: false };
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

/** Commits every checkpoint without moving the head. Returns the one that is to become it. */
async function commitAll(
  store: Store,
  chunks: AsyncIterable<Uint8Array>,
  options: CommitAllOptions,
): Promise<CheckpointEntry> {
  const { source, trail, header, sha256, onProgress } = options;
  let objects: NewObject[] = [];
  let head: CheckpointEntry | undefined;
  let done = 0;
  let found = "";
  for await (const entry of readTrailFile(chunks, source)) {
    if (entry.kind === "object") objects.push(entry.object);
    if (entry.kind === "end") found = entry.sha256;
    if (entry.kind !== "checkpoint") continue;
    await commitOne(store, trail, objects, entry);
    objects = [];
    if (entry.object.id === header.head) head = entry;
    onProgress?.(++done, header.checkpoints);
  }
  if (head === undefined || found !== sha256)
    throw damagedLine(source, 1, "the file changed while it was read");
  return head;
}

async function commitOne(
  store: Store,
  trail: string,
  objects: readonly NewObject[],
  entry: CheckpointEntry,
): Promise<void> {
  const { object, info, records } = entry;
  const parent = entry.hasParentHere || (await isKnown(store, info.parent_hash)) ? info.parent_hash : null;
  const createdAt = Date.parse(info.created_at);
  await store.commit({ objects, checkpoint: object, trail, parent: parent ?? undefined, createdAt });
  if (records.size > 0) await store.attach(object.id, records);
}

/** A parent that is not in the file is named to the store only if the store can tell what became of it. */
async function isKnown(store: Store, id: ObjectId | null): Promise<boolean> {
  if (id === null) return false;
  const present = await store.find({ idPrefix: id, limit: 1 });
  return present.length > 0 || (await store.tombstone(id)) !== undefined;
}

function renamed({ info, root }: CheckpointEntry, trail: string, created_at: string, before: string) {
  const notes = `Imported from trail "${before}"`;
  return writeCheckpoint({
    root,
    trail,
    created_at,
    parent: info,
    trigger: "import",
    notes,
    restored_from: info.checkpoint_id,
  });
}

async function moveHead(
  store: Store,
  trail: string,
  checkpoint: NewObject,
  info: CheckpointInfo,
): Promise<void> {
  const parent = info.parent_hash;
  const known = (await isKnown(store, parent)) ? (parent ?? undefined) : undefined;
  const createdAt = Date.parse(info.created_at);
  await store.commit({ objects: [], checkpoint, trail, parent: known, createdAt, head: { from: undefined } });
}

function trailExists(trail: string): CheckpointError {
  return new CheckpointError("conflict", `There is already a trail "${trail}".`, {
    hint: `Import it under another name: checkpoint import FILE --as ${trail}-imported`,
    details: { trail },
  });
}
