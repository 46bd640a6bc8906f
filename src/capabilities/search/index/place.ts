import { hash } from "node:crypto";
import { isCheckpointError } from "../../../core/errors.ts";
import type { Json, Path } from "../../../core/objects/json.ts";
import type { ObjectId } from "../../../core/objects/object-id.ts";
import { readChecked, type ReadObjects } from "../../../core/objects/read-tree.ts";
import type { Store } from "../../../core/store/contract.ts";
import { asList } from "../../../core/text/untrusted.ts";
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
  try {
    const { info, root } = await readUnloaded(id, read);
    if (place === NOTES) return info.notes === null ? undefined : { kind: "note", text: info.notes };
    const path = pathOf(place);
    const value = await readAt(root, path, read);
    return value === undefined ? undefined : placedPieces(path, value).find((each) => each.place === place);
  } catch (error) {
    if (isCheckpointError(error, "corrupt") || error instanceof URIError) return undefined;
    throw error;
  }
}

const pathOf = (place: string): Path =>
  String(place.split("#")[0])
    .split("/")
    .map((step) => (/^\d+$/.test(step) ? Number(step) : decodeURIComponent(step)));

/** Whether what was said before and after stands around it. */
export const isInTurn = (place: string): boolean => /^(?:lines|activity\/turns)\//.test(place);

const NEAREST = 2;

/**
 * What leads to a piece and follows from it: the prompt of its turn, what was said nearest to it on either side, and last.
 * All in order, without the piece itself.
 */
export async function turnAround(read: ReadObjects, id: ObjectId, place: string): Promise<SearchPiece[]> {
  if (!isInTurn(place)) return [];
  const [field = "", ...rest] = pathOf(place);
  const isLine = field === "lines";
  const value = await readAt(await rootOf(id, read), isLine ? [field] : [field, ...rest], read);
  const all = isLine
    ? asList(value).flatMap((line, index) => placedPieces([field, index], line as Json))
    : placedPieces([field, ...rest], value ?? null);
  const at = all.findIndex((each) => each.place === place);
  const isPrompt = ({ kind }: SearchPiece) => kind === "prompt";
  const start = all.slice(0, at + 1).findLastIndex(isPrompt);
  const next = all.findIndex((each, index) => index > at && isPrompt(each));
  const words = all.slice(Math.max(0, start), next < 0 ? all.length : next);
  const spoken = words.filter((each) => each.place === place || ["prompt", "said"].includes(each.kind));
  const here = spoken.findIndex((each) => each.place === place);
  return spoken.filter(
    (_, index) =>
      index !== here && (index === 0 || index === spoken.length - 1 || Math.abs(index - here) <= NEAREST),
  );
}

async function readUnloaded(id: ObjectId, read: ReadObjects): Promise<UnloadedCheckpoint> {
  return readCheckpoint(id, (await readChecked([id], read)).get(id) as Uint8Array);
}

export const rootOf = async (id: ObjectId, read: ReadObjects): Promise<ObjectId> =>
  (await readUnloaded(id, read)).root;

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
export function digestOf(where: string, { kind, text }: Pick<SearchPiece, "kind" | "text">): number {
  return Number.parseInt(hash("sha1", `${where}\n${kind}\n${text}`).slice(0, 12), 16);
}
