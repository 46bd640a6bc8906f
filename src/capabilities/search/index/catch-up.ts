import { isCheckpointError } from "../../../core/errors.ts";
import { decode } from "../../../core/objects/decode.ts";
import { diffStates } from "../../../core/objects/diff.ts";
import type { ObjectId } from "../../../core/objects/object-id.ts";
import type { ReadObjects } from "../../../core/objects/read-tree.ts";
import type { Store } from "../../../core/store/contract.ts";
import { readAt } from "../../../core/trails/diff/read-at.ts";
import { type CheckpointInfo, DAMAGED } from "../../../core/trails/document.ts";
import { openFeed } from "../../../work/project/feed/feed.ts";
import type { Project } from "../../../work/project/project.ts";
import { type IndexFile, notThisIndex } from "./index-file.ts";
import { SEARCH_KINDS } from "./piece.ts";
import { digestOf, notesOf, passagesOf, type PlacedPiece, placedPieces, readUnloaded } from "./place.ts";
import { type Unit, unitsOf, unitsOfChange } from "./state-pieces.ts";
import { spread } from "./spread.ts";

interface Batch {
  /** Where the index stood before it, and stands after it. */
  readonly from: string | undefined;
  cursor: string;
  chars: number;
  readonly commits: { readonly info: CheckpointInfo; readonly pieces: readonly PlacedPiece[] }[];
}

/** How much is written in one transaction: a process that is killed loses no more than this. */
const BATCH_CHARS = 4_000_000;
const BATCH_COMMITS = 500;

/** Takes in what was committed since the last time. May run in several processes at once, and be killed at any point. */
export async function catchUp(
  project: Project,
  file: IndexFile,
  onProgress: (commits: number) => void = () => {},
): Promise<void> {
  let commits = 0;
  for (let isDone = false; !isDone;) {
    const from = file.meta("cursor");
    const feed = await openFeed(project, { after: from, kinds: ["commit"] });
    let batch: Batch = { from, cursor: from ?? "", chars: 0, commits: [] };
    isDone = true;
    for await (const event of feed) {
      if (event.kind === "notice" && event.type === "restored") throw notThisIndex();
      if (event.kind === "commit") {
        const pieces = await piecesOfCommit(await feed.store(), event.checkpoint);
        batch.commits.push({ info: event.checkpoint, pieces });
        batch.chars += pieces.reduce((sum, { text }) => sum + text.length, 0);
        onProgress(++commits);
      }
      batch.cursor = event.cursor;
      if (batch.chars < BATCH_CHARS && batch.commits.length < BATCH_COMMITS) continue;
      // Another process took in the same: what it wrote is behind its cursor, where this one goes on.
      if (!(isDone = writeBatch(file, batch))) break;
      batch = { from: batch.cursor, cursor: batch.cursor, chars: 0, commits: [] };
    }
    if (isDone && batch.cursor !== (batch.from ?? "")) isDone = writeBatch(file, batch);
  }
}

/** What is new in a checkpoint. A damaged one, or one that was pruned meanwhile, has no words. */
async function piecesOfCommit(store: Store, info: CheckpointInfo): Promise<PlacedPiece[]> {
  if (info.trigger === DAMAGED) return [];
  const read: ReadObjects = (ids) => store.readObjects(ids);
  try {
    const { root } = await readUnloaded(info.content_hash, read);
    const placed = notesOf(info);
    for (const { path, value = await readAt(root, path, read) } of await unitsSince(info, root, read))
      if (value !== undefined) placed.push(...placedPieces(path, value));
    return placed;
  } catch (error) {
    if (isCheckpointError(error, "corrupt")) return [];
    throw error;
  }
}

/** Where there is no parent, or it is not there any more, all words are taken, and those that are known skipped. */
async function unitsSince(
  { parent_hash }: CheckpointInfo,
  root: ObjectId,
  read: ReadObjects,
): Promise<Unit[]> {
  try {
    const parent = parent_hash === null ? undefined : await readUnloaded(parent_hash, read);
    if (parent !== undefined)
      return (await diffStates(parent.root, root, read)).changes.flatMap(unitsOfChange);
  } catch (error) {
    if (!isCheckpointError(error, "corrupt")) throw error;
  }
  return unitsOf(await decode(root, read));
}

/** False if the index has moved since the batch was begun: then nothing is written. */
function writeBatch(file: IndexFile, { from, cursor, commits }: Batch): boolean {
  let isOurs = false;
  file.write(() => {
    isOurs = file.meta("cursor") === from;
    if (!isOurs) return;
    for (const { info, pieces } of commits) if (pieces.length > 0) writePieces(file, info, pieces);
    file.setMeta("cursor", cursor);
  });
  return isOurs;
}

/** The places where what was said before and after stands around it. */
const IN_TURN = /^(?:lines|activity\/turns)\//;

function writePieces(file: IndexFile, info: CheckpointInfo, pieces: readonly PlacedPiece[]): void {
  const { content_hash, trail, session_id, created_at } = info;
  file
    .sql("INSERT OR IGNORE INTO sources(checkpoint, trail, session) VALUES (?, ?, ?)")
    .run(content_hash, trail, session_id);
  const source = file.sql("SELECT id FROM sources WHERE checkpoint = ?").get(content_hash)?.["id"] as number;
  const insert = file.sql(
    "INSERT OR IGNORE INTO pieces(source, turn, place, kind, at, digest) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const index = file.sql("INSERT INTO words(rowid, text, file, near) VALUES (?, ?, ?, ?)");
  const near = nearWords(pieces);
  let turn: number | undefined;
  for (const [order, { place, kind, text, file: about = "", at }] of pieces.entries()) {
    const time = Date.parse(at ?? created_at) || Date.parse(created_at);
    if (turn === undefined || kind === "prompt" || !IN_TURN.test(place))
      turn = digestOf(info, kind, `${at}\n${text}`);
    const common = [place, SEARCH_KINDS.indexOf(kind), time] as const;
    const around = [spread(about), spread(near[order] ?? "")] as const;
    for (const passage of passagesOf(text)) {
      const { changes, lastInsertRowid } = insert.run(source, turn, ...common, digestOf(info, kind, passage));
      if (changes > 0) index.run(lastInsertRowid, spread(passage), ...around);
    }
  }
}

/** How much of what was said just before belongs to a text. */
const NEAR_CHARS = 300;

/** What people and agents say, with the beginning of what it answers: a question's words may be spread over both. */
function nearWords(pieces: readonly PlacedPiece[]): string[] {
  let [asked, said] = ["", ""];
  return pieces.map(({ kind, text }) => {
    const near = kind === "prompt" ? said : `${asked}\n${said}`;
    if (kind === "prompt") [asked, said] = [text.slice(0, NEAR_CHARS), ""];
    if (kind === "said") said = text.slice(0, NEAR_CHARS);
    return ["prompt", "said", "decision", "transcript"].includes(kind) ? near : "";
  });
}
