import { hash } from "node:crypto";
import { isCheckpointError } from "../../../core/errors.ts";
import type { Json, Path } from "../../../core/objects/json.ts";
import type { ObjectId } from "../../../core/objects/object-id.ts";
import { readChecked, type ReadObjects } from "../../../core/objects/read-tree.ts";
import type { Store } from "../../../core/store/contract.ts";
import { readAt } from "../../../core/trails/diff/read-at.ts";
import { readCheckpoint, type UnloadedCheckpoint } from "../../../core/trails/document.ts";
import type { SearchPiece } from "./piece.ts";
import { piecesOfUnit } from "./state-pieces.ts";

/** A piece, and where it stands in its checkpoint: the path of its unit and its number in that, `decisions/3#0`. */
export interface PlacedPiece extends SearchPiece {
  readonly place: string;
}

/** Hits stand close together: what one was read from is not read again for the next. */
export function readOnce(store: Store): ReadObjects {
  const known = new Map<ObjectId, Uint8Array>();
  return async (ids) => {
    const found = await store.readObjects(ids.filter((id) => !known.has(id)));
    for (const [id, bytes] of found) known.set(id, bytes);
    return known;
  };
}

/** The place of a checkpoint's notes, which are no part of its state. */
export const NOTES = "notes#0";

export function placedPieces(path: Path, value: Json): PlacedPiece[] {
  const start = path.map((step) => encodeURIComponent(step)).join("/");
  return piecesOfUnit(path, value).map((piece, index) => ({ ...piece, place: `${start}#${index}` }));
}

/** What stands in a place of a checkpoint; undefined where that is gone or damaged. */
export async function pieceAt(
  read: ReadObjects,
  id: ObjectId,
  place: string,
): Promise<SearchPiece | undefined> {
  const [start = "", index = ""] = place.split("#");
  try {
    const { info, root } = await readUnloaded(id, read);
    if (place === NOTES) return info.notes === null ? undefined : { kind: "note", text: info.notes };
    const path = start
      .split("/")
      .map((step) => (/^\d+$/.test(step) ? Number(step) : decodeURIComponent(step)));
    const value = await readAt(root, path, read);
    return value === undefined ? undefined : placedPieces(path, value)[Number(index)];
  } catch (error) {
    if (isCheckpointError(error, "corrupt") || error instanceof URIError) return undefined;
    throw error;
  }
}

async function readUnloaded(id: ObjectId, read: ReadObjects): Promise<UnloadedCheckpoint> {
  return readCheckpoint(id, (await readChecked([id], read)).get(id) as Uint8Array);
}

export const rootOf = async (id: ObjectId, read: ReadObjects): Promise<ObjectId> =>
  (await readUnloaded(id, read)).root;

/** The same words of a session are found once. 48 bits, because SQLite's numbers and JavaScript's agree on those. */
export function digestOf(where: string, { kind, text }: Pick<SearchPiece, "kind" | "text">): number {
  return Number.parseInt(hash("sha1", `${where}\n${kind}\n${text}`).slice(0, 12), 16);
}
