import { CheckpointError } from "../../../core/errors.ts";
import { isObjectId, type ObjectId } from "../../../core/objects/object-id.ts";
import type { LogEntry, Store } from "../../../core/store/contract.ts";

/**
 * How far a consumer has come: the last commit and the last entry of the store's own log that it has dealt with. Both name
 * what they point at, so that a store that was restored from a copy is told from one that merely grew.
 */
export interface FeedPosition {
  readonly sequence: number;
  readonly checkpoint: ObjectId | undefined;
  readonly entry: number;
  /** The beginning of the entry's hash. */
  readonly entryHash: string;
}

export const BEGINNING: FeedPosition = { sequence: 0, checkpoint: undefined, entry: 0, entryHash: "" };

const HASH_DIGITS = 16;

export const shortHash = (hash: string): string => hash.slice(0, HASH_DIGITS);

/** As consumers keep it: one word. */
export function formatCursor({ sequence, checkpoint, entry, entryHash }: FeedPosition): string {
  const id = checkpoint === undefined ? "" : Buffer.from(checkpoint, "hex").toString("base64url");
  return `${sequence}.${id}.${entry}.${entryHash}`;
}

/** Behind all commits so far: for those who want only what comes. Entries of the log are told from the first on. */
export async function newestCursor(store: Store): Promise<string> {
  const [newest] = await store.find({ newestFirst: true, limit: 1 });
  return formatCursor({ ...BEGINNING, sequence: newest?.sequence ?? 0, checkpoint: newest?.id });
}

/** Behind all that happened so far, the log included: for those who begin to follow now. */
export async function endCursor(store: Store): Promise<string> {
  const { sequence, checkpoint } = parseCursor(await newestCursor(store));
  let last: LogEntry | undefined;
  for (let page = await store.readLog({ limit: PAGE }); page.length > 0;) {
    last = page.findLast(({ trail }) => trail === undefined) ?? last;
    page = page.length < PAGE ? [] : await store.readLog({ after: page.at(-1)!, limit: PAGE });
  }
  const entry = last?.number ?? 0;
  return formatCursor({
    sequence,
    checkpoint,
    entry,
    entryHash: last === undefined ? "" : shortHash(last.hash),
  });
}

const PAGE = 1000;

const CURSOR = /^(\d{1,15})\.([\w-]{43})?\.(\d{1,15})\.([0-9a-f]{16})?$/;

export function parseCursor(text: string): FeedPosition {
  const [, sequence, id, entry, entryHash = ""] = CURSOR.exec(text) ?? [];
  const checkpoint = id === undefined ? undefined : Buffer.from(id, "base64url").toString("hex");
  const isRight = sequence !== undefined && (checkpoint === undefined || isObjectId(checkpoint));
  if (isRight) return { sequence: Number(sequence), checkpoint, entry: Number(entry), entryHash };
  throw new CheckpointError("usage", `${JSON.stringify(text.slice(0, 80))} is not a cursor.`, {
    hint: "Pass the `cursor` of an event: checkpoint events --json",
  });
}

/** Where to read on, and what is to be said of it. */
export interface CheckedPosition {
  readonly position: FeedPosition;
  readonly problem?: "restored" | "pruned" | undefined;
  /** When the last commit was made that the consumer has seen. */
  readonly seenAt: number;
}

/**
 * Compares a position with the store. Where the store was restored, numbers were given a second time, so that nothing after
 * them is certain: everything that is kept is told again. Where only the checkpoint was pruned, its number still counts.
 */
export async function checkPosition(store: Store, position: FeedPosition): Promise<CheckedPosition> {
  const { sequence, checkpoint, entry } = position;
  if (entry > 0) {
    const [known] = await store.readLog({ after: entry - 1, limit: 1 });
    if (known === undefined || shortHash(known.hash) !== position.entryHash) return RESTORED;
  }
  if (checkpoint === undefined) return { position, seenAt: 0 };
  const [found] = await store.find({ afterSequence: sequence - 1, limit: 1 });
  if (found?.sequence === sequence && found.id === checkpoint) return { position, seenAt: found.createdAt };
  const tombstone = await store.tombstone(checkpoint);
  return tombstone === undefined ? RESTORED : { position, problem: "pruned", seenAt: tombstone.createdAt };
}

const RESTORED: CheckedPosition = { position: BEGINNING, problem: "restored", seenAt: 0 };
