import { hash } from "node:crypto";
import { isCheckpointError } from "../../../core/errors.ts";
import type { Json, Path } from "../../../core/objects/json.ts";
import type { ObjectId } from "../../../core/objects/object-id.ts";
import { readChecked, type ReadObjects } from "../../../core/objects/read-tree.ts";
import type { Store } from "../../../core/store/contract.ts";
import { readAt } from "../../../core/trails/diff/read-at.ts";
import {
  type CheckpointInfo,
  readCheckpoint,
  type UnloadedCheckpoint,
} from "../../../core/trails/document.ts";
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
const NOTES = "@notes#0";

export const notesOf = ({ notes }: CheckpointInfo): PlacedPiece[] =>
  notes === null ? [] : [{ kind: "note", text: notes, place: NOTES }];

export function placedPieces(path: Path, value: Json): PlacedPiece[] {
  const start = path.map((step) => encodeURIComponent(step)).join("/");
  return piecesOfUnit(path, value).map((piece, index) => ({ ...piece, place: `${start}#${index}` }));
}

/** What stands in a place of a checkpoint, and what that says of itself; undefined where it is gone or damaged. */
export async function pieceAt(
  read: ReadObjects,
  id: ObjectId,
  place: string,
): Promise<{ readonly piece: SearchPiece; readonly info: CheckpointInfo } | undefined> {
  try {
    const { info, root } = await readUnloaded(id, read);
    const path = pathOf(place);
    const pieces =
      place === NOTES ? notesOf(info) : placedPieces(path, (await readAt(root, path, read)) ?? null);
    const piece = pieces.find((each) => each.place === place);
    return piece && { piece, info };
  } catch (error) {
    if (isCheckpointError(error, "corrupt") || error instanceof URIError) return undefined;
    throw error;
  }
}

const pathOf = (place: string): Path =>
  String(place.split("#")[0])
    .split("/")
    .map((step) => (/^\d+$/.test(step) ? Number(step) : decodeURIComponent(step)));

export async function readUnloaded(id: ObjectId, read: ReadObjects): Promise<UnloadedCheckpoint> {
  return readCheckpoint(id, (await readChecked([id], read)).get(id) as Uint8Array);
}

const PASSAGE_CHARS = 1_200;

/** A long text in parts of whole lines or words, each found and ranked by itself: somewhere in a long file any words occur. */
export function passagesOf(text: string): string[] {
  const passages: string[] = [];
  let from = 0;
  while (text.length - from > PASSAGE_CHARS * 1.5) {
    const ends = ["\n", " "].map((blank) => text.lastIndexOf(blank, from + PASSAGE_CHARS));
    const end = ends.find((at) => at > from + PASSAGE_CHARS / 2) ?? from + PASSAGE_CHARS;
    passages.push(text.slice(from, end));
    from = end;
  }
  return [...passages, text.slice(from)];
}

/** The same words of a session are found once. 48 bits, because SQLite's numbers and JavaScript's agree on those. */
export function digestOf({ session_id, trail }: CheckpointInfo, kind: string, text: string): number {
  return Number.parseInt(hash("sha1", `${session_id ?? trail}\n${kind}\n${text}`).slice(0, 12), 16);
}
