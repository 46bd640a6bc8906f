import { createHash } from "node:crypto";

import { CheckpointError } from "../../errors.ts";
import type { ObjectId } from "../../objects/object-id.ts";
import { readChecked } from "../../objects/read-tree.ts";
import type { Progress, Store } from "../../store/contract.ts";
import { PIN_PREFIX } from "../../store/removal-plan.ts";
import { collectHistory } from "../collect-history.ts";
import { readCheckpoint, type CheckpointInfo } from "../document.ts";
import { IMPORT_RECORD } from "../import-record.ts";
import { newObjects } from "./new-objects.ts";
import {
  MAX_LINE_BYTES,
  TRAIL_FILE_VERSION,
  type CheckpointLine,
  type EndLine,
  type HeaderLine,
  type ObjectLine,
} from "./trail-file.ts";

/** How often a listing is repeated because the trail moved. */
const MAX_MOVES = 5;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Writes a trail as lines of text, everything in it checked against its hash on the way. Memory holds the ids of what
 * was written and the new objects of one checkpoint. What is committed meanwhile is not in it.
 *
 * @example
 * await pipeline(exportTrail(cairn.store, "main"), createWriteStream("main.cairn"));
 */
export async function* exportTrail(
  store: Store,
  trail: string,
  { onProgress }: Progress = {},
): AsyncGenerator<string> {
  const { head, ids } = await listTrail(store, trail);
  const hash = createHash("sha256");
  const toLine = (value: HeaderLine | ObjectLine | CheckpointLine | EndLine) => {
    const line = `${JSON.stringify(value)}\n`;
    if (line.length > MAX_LINE_BYTES) throw tooLong(trail);
    hash.update(line);
    return line;
  };
  yield toLine({ cairn: "trail", version: TRAIL_FILE_VERSION, trail, head, checkpoints: ids.length });

  const written = new Set<ObjectId>();
  const roots = new Map<ObjectId, ObjectId>();
  for (const [index, id] of ids.entries()) {
    const { bytes, info, root, objects } = await readStep(store, id, roots, written).catch(
      async (error: unknown) => {
        throw (await store.tombstone(id)) ? pruned(trail, id) : error;
      },
    );
    for (const { id: object, bytes, predecessor: like } of objects) {
      yield toLine({ object, text: decoder.decode(bytes), ...(like !== undefined && { like }) });
      written.add(object);
    }
    roots.set(id, root);
    yield toLine({ checkpoint: id, text: decoder.decode(bytes), ...(await aside(store, info, roots)) });
    onProgress?.(index + 1, ids.length);
  }
  const sha256 = hash.copy().digest("hex");
  yield toLine({ end: { objects: written.size, checkpoints: ids.length, sha256 } });
}

/** The checkpoints of a trail, oldest first, at a moment when its head stood still. */
async function listTrail(store: Store, trail: string): Promise<{ head: ObjectId; ids: ObjectId[] }> {
  for (let moves = 0; moves < MAX_MOVES; moves++) {
    const head = await store.head(trail);
    if (head === undefined) throw noTrail(trail);
    const ids = await collectHistory(store, trail, ({ id }) => id);
    if ((await store.head(trail)) === head) return { head, ids: ids.toReversed() };
  }
  throw new CheckpointError("conflict", `Trail "${trail}" is being written to all the time.`, {
    hint: "Export it when it rests, or fork it and export the fork.",
    details: { trail },
  });
}

/** What belongs to a checkpoint but is not part of it. */
async function aside(
  store: Store,
  { content_hash, parent_hash }: CheckpointInfo,
  written: ReadonlyMap<ObjectId, ObjectId>,
): Promise<Pick<CheckpointLine, "parent_is" | "records">> {
  const isAway = parent_hash !== null && !written.has(parent_hash);
  const parent_is =
    isAway && ((await store.tombstone(parent_hash)) ? ("pruned" as const) : ("elsewhere" as const));
  const attached = [...((await store.attachments([content_hash])).get(content_hash) ?? [])].filter(
    ([key]) => !isOfThisStore(key),
  );
  const records = Object.fromEntries(
    attached.map(([key, value]) => [key, Buffer.from(value).toString("base64")]),
  );
  return { ...(parent_is && { parent_is }), ...(attached.length > 0 && { records }) };
}

/** Records that speak of the store they are in, not of the checkpoint. */
export const isOfThisStore = (key: string) => key.startsWith(PIN_PREFIX) || key === IMPORT_RECORD;

/** A checkpoint, and the objects of its state that are not `written` yet. */
async function readStep(
  store: Store,
  id: ObjectId,
  roots: ReadonlyMap<ObjectId, ObjectId>,
  written: ReadonlySet<ObjectId>,
) {
  const read = (ids: readonly ObjectId[]) => store.readObjects(ids);
  const bytes = (await readChecked([id], read)).get(id) as Uint8Array;
  const { info, root } = readCheckpoint(id, bytes);
  const before = info.parent_hash === null ? undefined : roots.get(info.parent_hash);
  return { bytes, info, root, objects: await newObjects(root, before, written, read) };
}

function pruned(trail: string, checkpoint: ObjectId): CheckpointError {
  return new CheckpointError("conflict", `Trail "${trail}" was pruned while it was exported.`, {
    hint: "Export it again.",
    details: { trail, checkpoint },
  });
}

function noTrail(trail: string): CheckpointError {
  return new CheckpointError("not-found", `There is no trail "${trail}" to export.`, {
    hint: "checkpoint list --all",
    details: { trail },
  });
}

function tooLong(trail: string): CheckpointError {
  return new CheckpointError(
    "failed",
    `Trail "${trail}" holds a value too long to be exported: more than ${MAX_LINE_BYTES} characters in one piece.`,
    {
      hint: "Keep large content in files and store their paths.",
      details: { trail },
    },
  );
}
