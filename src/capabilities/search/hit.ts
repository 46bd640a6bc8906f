import { CheckpointError } from "../../core/errors.ts";
import type { ObjectId } from "../../core/objects/object-id.ts";
import type { ReadObjects } from "../../core/objects/read-tree.ts";
import type { Store } from "../../core/store/contract.ts";
import { shortened } from "../../core/text/shorten.ts";
import { shellWord } from "../../core/text/shell-word.ts";
import type { CheckpointInfo } from "../../core/trails/document.ts";
import type { Project } from "../../work/project/project.ts";
import { sessionStory } from "../../work/project/reading/session-story.ts";
import type { StoryLine } from "../../work/project/reading/story-line.ts";
import { sessionTrail } from "../../work/sessions/session.ts";
import { digestOf, passagesOf, pieceAt } from "./index/place.ts";
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

const ID_DIGITS = 12;
const HIT_ID = /^(?<idPrefix>[0-9a-f]{12})\/(?<place>\S+#\d{1,6})$/;

export const isHitId = (text: string): boolean => HIT_ID.test(text);

interface Placed {
  readonly piece: SearchPiece;
  readonly info: CheckpointInfo;
  readonly place: string;
}

export function toHit({ piece, info, place }: Placed, text: string): SearchHit {
  const { content_hash, checkpoint_id, trail, session_id: session, agent_id, created_at } = info;
  const { kind, at, file = null } = piece;
  const id = `${content_hash.slice(0, ID_DIGITS)}/${place}`;
  const said = Date.parse(at ?? "") ? new Date(at ?? "").toISOString() : created_at;
  const who = piece.who ?? (kind === "prompt" ? "person" : (agent_id ?? clientOf(trail)));
  const command = `checkpoint search ${shellWord(id)}`;
  return { id, kind, at: said, who, session, trail, checkpoint_id, file, text, command };
}

const ARCHIVE = /^transcript\/(?<client>[^/]+)\/[^/]+/;

/** The client that wrote a transcript. */
const clientOf = (trail: string) => ARCHIVE.exec(trail)?.groups?.["client"] ?? null;

/** A hit with all its words, by its id, and what was said around it. */
export async function hitNamed(
  project: Project,
  { store, read }: Reading,
  id: string,
): Promise<{ readonly hit: SearchHit; readonly turn: readonly StoryLine[] }> {
  const { idPrefix = "", place = "" } = HIT_ID.exec(id)?.groups ?? {};
  const [stored] = await store.find({ idPrefix, limit: 1 });
  const found = stored && (await pieceAt(read, stored.id, place));
  if (found !== undefined) {
    const hit = toHit({ ...found, place }, found.piece.text);
    return { hit, turn: await turnAround(project, hit) };
  }
  const message = `Nothing is found under "${id}": its checkpoint was pruned, or never was here.`;
  const hint = "Search for its words again: checkpoint search WORDS";
  throw new CheckpointError("not-found", message, { hint, details: { id } });
}

const NEAREST = 2;
const NEAR_CHARS = 1_500;

/** The prompt of a hit's turn, what was said nearest to it on either side, and last. All in order, without the hit itself. */
async function turnAround(project: Project, { session, trail, at, text }: SearchHit): Promise<StoryLine[]> {
  if (session === null) return [];
  const archived = ARCHIVE.exec(trail)?.[0] ?? null;
  const { story } = await sessionStory(project, { trail: sessionTrail(session), transcript: { archived } });
  const same = story.filter((line) => line.text === text.trim());
  const exact = story.indexOf((same.find((line) => line.at === at) ?? same[0]) as StoryLine);
  const here = exact >= 0 ? exact : story.findLastIndex((line) => line.at <= at);
  const isPrompt = ({ kind }: StoryLine) => kind === "prompt";
  const start = story.slice(0, here + 1).findLastIndex(isPrompt);
  const next = story.findIndex((line, index) => index > here && isPrompt(line));
  const turn = story.slice(Math.max(0, start), next < 0 ? story.length : next);
  const spoken = turn.filter((line) => line === story[here] || /prompt|said|decided/.test(line.kind));
  const middle = spoken.indexOf(story[here] as StoryLine);
  const isNear = (index: number) =>
    [0, spoken.length - 1].includes(index) || Math.abs(index - middle) <= NEAREST;
  return spoken
    .filter((_, index) => isNear(index) && (index !== middle || exact < 0))
    .map((line) => ({ ...line, text: shortened(line.text, NEAR_CHARS) }));
}

interface Reading {
  readonly store: Store;
  readonly read: ReadObjects;
}

/** A passage as the index knows it. */
export interface KnownPassage {
  readonly checkpoint: ObjectId;
  readonly trail: string;
  readonly place: string;
  readonly digest: number;
}

/** A passage, from the store: where it was found, or, if that was pruned, in the same place of its trail's head. */
export async function findPassage(
  { store, read }: Reading,
  { checkpoint, trail, place, digest }: KnownPassage,
): Promise<Placed | undefined> {
  // Its objects are there until the next sweep.
  const isPruned = (await store.tombstone(checkpoint)) !== undefined;
  for (const where of isPruned ? [trail] : [checkpoint, trail]) {
    const id = where === trail ? await store.head(trail) : checkpoint;
    const found = id && (await pieceAt(read, id, place));
    const passages = found ? passagesOf(found.piece.text) : [];
    const text = passages.find((each) => found && digestOf(found.info, found.piece.kind, each) === digest);
    if (found && text !== undefined) return { ...found, place, piece: { ...found.piece, text } };
  }
  return undefined;
}
