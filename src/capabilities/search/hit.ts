import { CheckpointError } from "../../core/errors.ts";
import type { ObjectId } from "../../core/objects/object-id.ts";
import type { ReadObjects } from "../../core/objects/read-tree.ts";
import type { Store } from "../../core/store/contract.ts";
import { shortened } from "../../core/text/shorten.ts";
import { shellWord } from "../../core/text/shell-word.ts";
import { infoOrDamage } from "../../core/trails/document.ts";
import { digestOf, passagesOf, pieceAt, readOnce, turnAround } from "./index/place.ts";
import type { SearchPiece, SearchKind } from "./index/piece.ts";

/** Where words were found. */
export interface SearchHit {
  /** Names it, and stays the same as long as its checkpoint is there. Searched for, it is shown as a whole. */
  readonly id: string;
  readonly kind: SearchKind;
  readonly at: string;
  /** `person`, the agent, or null where nothing says. */
  readonly who: string | null;
  readonly session: string | null;
  readonly trail: string;
  readonly checkpoint_id: string;
  readonly file: string | null;
  /** The part with the words; all of it where it was asked for by its id. */
  readonly text: string;
  /** Shows all of it. */
  readonly command: string;
}

/** A piece as the index knows it. */
export interface KnownPiece {
  readonly checkpoint: ObjectId;
  readonly name: string;
  readonly place: string;
  readonly trail: string;
  readonly session: string | null;
  readonly agent: string | null;
  readonly digest: number;
}

const ID_DIGITS = 12;
const HIT_ID = /^(?<checkpoint>[0-9a-f]{12})\/(?<place>\S+#\d{1,6})$/;

export const isHitId = (text: string): boolean => HIT_ID.test(text);

export function toHit(
  known: Omit<KnownPiece, "digest"> & { readonly at: string },
  piece: SearchPiece,
  text: string,
): SearchHit {
  const { checkpoint, name, place, trail, session, agent, at } = known;
  const id = `${checkpoint.slice(0, ID_DIGITS)}/${place}`;
  const who = piece.who ?? (piece.kind === "prompt" ? "person" : (agent ?? clientOf(trail)));
  const command = `checkpoint search ${shellWord(id)}`;
  const file = piece.file ?? null;
  return { id, kind: piece.kind, at, who, session, trail, checkpoint_id: name, file, text, command };
}

/** The client that wrote a transcript. */
const clientOf = (trail: string) => /^transcript\/([^/]+)\//.exec(trail)?.[1] ?? null;

/** Words of the turn that a hit belongs to. */
export type NearWords = Pick<SearchHit, "kind" | "at" | "text">;

const NEAR_CHARS = 1_500;

/** A hit with all its words, by its id, and what was said around it. */
export async function hitNamed(
  store: Store,
  id: string,
): Promise<{ readonly hit: SearchHit; readonly turn: readonly NearWords[] }> {
  const { checkpoint: idPrefix = "", place = "" } = HIT_ID.exec(id)?.groups ?? {};
  const [stored] = await store.find({ idPrefix, limit: 1 });
  const read = readOnce(store);
  const piece = stored && (await pieceAt(read, stored.id, place));
  if (stored === undefined || piece === undefined)
    throw new CheckpointError(
      "not-found",
      `Nothing is found under "${id}": its checkpoint was pruned, or never was here.`,
      {
        hint: "Search for its words again: checkpoint search WORDS",
        details: { id },
      },
    );
  const { checkpoint_id, trail, session_id, agent_id, created_at } = infoOrDamage(stored);
  const whose = { trail, session: session_id, agent: agent_id, at: piece.at ?? created_at };
  const known = { checkpoint: stored.id, name: checkpoint_id, place, ...whose };
  const turn = (await turnAround(read, stored.id, place)).map(({ kind, at = created_at, text }) => ({
    kind,
    at,
    text: shortened(text, NEAR_CHARS),
  }));
  return { hit: toHit(known, piece, piece.text), turn };
}

/** The passage of a row, from the store: where it was found, or, if that was pruned, in the same place of its trail's head. */
export async function findPiece(
  { store, read }: { readonly store: Store; readonly read: ReadObjects },
  row: KnownPiece,
): Promise<{ readonly piece: SearchPiece; readonly checkpoint: ObjectId } | undefined> {
  // Its objects are there until the next sweep.
  const isPruned = (await store.tombstone(row.checkpoint)) !== undefined;
  const own = isPruned ? undefined : await passageAt(read, row, row.checkpoint);
  return own ?? passageAt(read, row, await store.head(row.trail));
}

async function passageAt(read: ReadObjects, row: KnownPiece, checkpoint: ObjectId | undefined) {
  const piece = checkpoint && (await pieceAt(read, checkpoint, row.place));
  if (checkpoint === undefined || piece === undefined) return undefined;
  const { kind } = piece;
  const isIt = (text: string) => digestOf(row.session ?? row.trail, { kind, text }) === row.digest;
  const text = passagesOf(piece.text).find(isIt);
  return text === undefined ? undefined : { piece: { ...piece, text }, checkpoint };
}
