import { CheckpointError } from "../../core/errors.ts";
import type { ReadObjects } from "../../core/objects/read-tree.ts";
import type { Store } from "../../core/store/contract.ts";
import { parseSince } from "../../work/project/reading/parse-since.ts";
import type { Project } from "../../work/project/project.ts";
import type { StoryLine } from "../../work/project/reading/story-line.ts";
import type { InputOf } from "../../work/verbs/field.ts";
import { catchUp } from "./index/catch-up.ts";
import { IndexFile, indexPath, isDamage, removeIndex } from "./index/index-file.ts";
import { readOnce } from "./index/place.ts";
import { SEARCH_KINDS, type SearchKind } from "./index/piece.ts";
import { findPassage, hitNamed, isHitId, type KnownPassage, type SearchHit, toHit } from "./hit.ts";
import { nearestWords, type UnknownWord } from "./nearest.ts";
import { readQuery, type SearchQuery } from "./query.ts";
import { excerptOf } from "./excerpt.ts";
import type { SEARCH } from "./verbs.ts";

export type SearchInput = InputOf<(typeof SEARCH)["search"]> & {
  /** Told how many commits were taken in, where that takes a while. */
  readonly onProgress?: (done: number) => void;
};

export interface SearchResult {
  readonly hits: readonly SearchHit[];
  /** Of a hit that was asked for by its id: the prompt of its turn, and what was said before and after it. */
  readonly turn: readonly StoryLine[];
  /** Words that occur nowhere, with those that do and are like them. */
  readonly unknown: readonly UnknownWord[];
  /** How many pieces of text were searched. */
  readonly searched: number;
}

const SHOWN = 10;
const EXCERPT_CHARS = 240;

/** Finds words in everything that was saved in this project. Throws where it cannot search: nothing found means nothing there. */
export async function search(project: Project, input: SearchInput): Promise<SearchResult> {
  const { store } = await project.stores.open(project, "read", null);
  const reading = { store, read: readOnce(store) };
  const typed = input.words.join(" ").trim();
  if (isHitId(typed)) {
    const { hit, turn } = await hitNamed(project, reading, typed);
    return { hits: [hit], turn, unknown: [], searched: 1 };
  }
  if (typed === "")
    throw new CheckpointError("usage", "Nothing says what to look for.", { hint: "checkpoint search WORDS" });
  const query = readQuery(typed);
  const { id } = await store.identity();
  const path = indexPath(project, id);
  for (let tries = 0; ; tries++) {
    let file: IndexFile | undefined;
    try {
      file = IndexFile.open(path, id);
      await catchUp(project, file, input.onProgress);
      return await find(project, { ...reading, file, query, input });
    } catch (error) {
      // Damaged, of another version, or made anew by another process: the store has all of it.
      if (!isDamage(error) || tries > 0) throw error;
      file?.close();
      removeIndex(path);
      project.notices.message("The search index was damaged or outdated: it is made anew.");
    } finally {
      file?.close();
    }
  }
}

interface FoundRow extends KnownPassage {
  readonly id: number;
  readonly turn: number;
}

interface Finding {
  readonly store: Store;
  readonly read: ReadObjects;
  readonly file: IndexFile;
  readonly query: SearchQuery;
  readonly input: SearchInput;
}

async function find(project: Project, { file, query, input, ...reading }: Finding): Promise<SearchResult> {
  const searched = file.sql("SELECT count(*) AS found FROM pieces").get()?.["found"] as number;
  const hits: SearchHit[] = [];
  const echoes: SearchHit[] = [];
  const limit = input.limit ?? SHOWN;
  const documents = file.sql("SELECT doc FROM terms WHERE term = ?");
  const isCommon = (word: string) => Number(documents.get(word)?.["doc"] ?? 0) > searched / 20;
  /** Turns; and excerpts, because the same words were saved by the hooks and stand in the transcript. */
  const seen = new Set<number | string>();
  for (const choose of query.all === "" ? [] : [() => query.all, () => query.any(isCommon)]) {
    if (hits.length >= limit) break;
    for (const row of rowsFor(project, file, { match: choose(), input, limit: 30 + limit * 3 })) {
      if (hits.length >= limit) break;
      if (seen.has(row.turn)) continue;
      const found = await findPassage(reading, row);
      if (found === undefined) {
        file.write(() => file.deletePiece(row.id));
        continue;
      }
      const text = excerptOf(found.piece.text, query.words, EXCERPT_CHARS);
      if (seen.has(text) || !query.isIn(`${found.piece.text} ${found.piece.file ?? ""}`)) continue;
      seen.add(text).add(row.turn);
      const isEcho = found.piece.kind === "prompt" && query.isEcho(found.piece.text);
      (isEcho ? echoes : hits).push(toHit(found, text));
    }
  }
  hits.push(...echoes.slice(0, limit - hits.length));
  return { hits, turn: [], unknown: nearestWords(file, query.words), searched };
}

/** How much a kind of words counts: what people and agents said, before what machines printed. */
const WEIGHT: Readonly<Record<SearchKind, number>> = {
  prompt: 1.6,
  decision: 1.5,
  said: 1.4,
  task: 1.2,
  note: 1.2,
  transcript: 1,
  command: 0.8,
  file: 0.7,
  output: 0.7,
};

const WEIGHED = `CASE kind ${SEARCH_KINDS.map((kind, index) => `WHEN ${index} THEN ${WEIGHT[kind]}`).join(" ")} END`;
/** What is new counts up to a fifth more; after a month half of that. */
const RECENT = "(1 + 0.2 / (1 + max(0, ? - at) / 2592000000.0))";

/** A weight moves a text no further than this. */
const WEIGHED_FOR_ONE = 5;

function rowsFor(
  project: Project,
  file: IndexFile,
  { match, input, limit }: { match: string; input: SearchInput; limit: number },
): FoundRow[] {
  const { kind, session, since } = input;
  const now = project.now();
  const conditions: (readonly [sql: string, ...values: (string | number)[]])[] = [["1 = 1"]];
  if (kind === "transcript") conditions.push(["trail GLOB 'transcript/*'"]);
  else if (kind !== undefined) conditions.push(["kind = ?", SEARCH_KINDS.indexOf(kind)]);
  if (session !== undefined) conditions.push(["substr(session, 1, ?) = ?", session.length, session]);
  if (since !== undefined) conditions.push(["at >= ?", parseSince(since, now).getTime()]);
  const where = conditions.map(([sql]) => sql).join(" AND ");
  const values = conditions.flatMap(([, ...given]) => given);
  // Only the best are joined, but of those that a filter may drop all.
  const best = conditions.length === 1 ? limit * WEIGHED_FOR_ONE : -1;
  return file
    .sql(
      `SELECT pieces.id, turn, place, digest, checkpoint, trail
       FROM (SELECT rowid, bm25(words, 1, 1, 0.25) AS score FROM words WHERE words MATCH ? ORDER BY score LIMIT ?) AS found
       JOIN pieces ON pieces.id = found.rowid JOIN sources ON sources.id = source
       WHERE ${where} ORDER BY score * ${WEIGHED} * ${RECENT}, at DESC LIMIT ?`,
    )
    .all(match, best, ...values, now.getTime(), limit) as unknown as FoundRow[];
}
