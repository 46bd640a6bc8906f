import { hash } from "node:crypto";
import { closeSync, constants, openSync, readFileSync, readSync, writeSync } from "node:fs";

import type { Connection } from "./connection.ts";
import { lossFound } from "./lost-log.ts";

/** What the mark says: the last commit that was acknowledged. */
export interface Marked {
  readonly storeId: string;
  readonly sequence: number;
  /** The first half of the checkpoint's id, in hex; zeros before the first commit. */
  readonly key: string;
}

/** The newest checkpoint of a store, as far as one commit knows it. */
export type Newest = Pick<Marked, "sequence" | "key">;

type SqlRunner = Pick<Connection, "sql">;

const NO_KEY = "0".repeat(32);

/** For reading a mark, which is shorter. */
const content = Buffer.alloc(256);

/**
 * A small file beside the store that reveals a lost log. SQLite takes the first damaged part of a log for its end and says
 * nothing, so what was acknowledged after it would be gone unnoticed. The mark is written after each commit and never
 * synced: it may lag behind the store, but never be ahead of it. If it is, commits were lost.
 */
export class Mark {
  readonly #store: string;
  /** Kept open once it was written: to open it for each commit takes longer than everything else about it. */
  #file: number | undefined;
  /** What was found, or written, to agree with the store, and what it says. */
  #agreed: { readonly text: string; readonly marked: Marked } | undefined;
  #storeId = "";

  constructor(store: string) {
    this.#store = store;
  }

  get path(): string {
    return `${this.#store}-mark`;
  }

  /** Undefined when there is none, or it is truncated, zeroed or torn; none of these means loss. */
  read(): Marked | undefined {
    const text = this.#text();
    return text === this.#agreed?.text ? this.#agreed.marked : parseMark(text);
  }

  #text(): string {
    try {
      if (this.#file === undefined) return readFileSync(this.path, "latin1");
      return content.toString("latin1", 0, readSync(this.#file, content, 0, content.length, 0));
    } catch {
      return "";
    }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  /** Whether this mark was found to agree before: what was there then is not lost while the store is open. */
  isKnown(marked: Marked | undefined): boolean {
    return marked === undefined || marked === this.#agreed?.marked;
  }

  /** Compares the mark with the store, inside a transaction that began after the mark was read. */
  assertAgrees(database: SqlRunner, marked: Marked | undefined): void {
    if (marked === undefined) return;
    const newest = this.newest(database);
    if (!agrees(database, marked, newest)) throw lossFound(this.#store, marked, newest);
    this.#agreed = { text: formatMark(marked), marked };
  }

  /** What the mark has to say of a store as it is. */
  newest(database: SqlRunner): Marked {
    const row = database
      .sql(
        `SELECT (SELECT value FROM meta WHERE key = 'store_id') AS storeId, last_sequence, sequence,
         lower(hex(checkpoints.key)) AS key FROM counters LEFT JOIN checkpoints
         ON sequence = (SELECT max(sequence) FROM checkpoints)`,
      )
      .get() as { storeId: string; last_sequence: number; sequence: number | null; key: string | null };
    this.#storeId = row.storeId;
    const isNewest = row.sequence !== null && row.sequence >= row.last_sequence;
    return isNewest
      ? { storeId: row.storeId, sequence: row.sequence as number, key: row.key as string }
      : { storeId: row.storeId, sequence: row.last_sequence, key: NO_KEY };
  }

  /** Never lower than it is, for another process may have been quicker. Write errors are ignored: the mark merely lags. */
  write(newest: Newest, { accepts = false } = {}): void {
    if (!accepts && newest.sequence <= (this.#agreed?.marked.sequence ?? -1)) return;
    // The checkpoint with the highest number was removed: the mark would have nothing to compare.
    if (newest.key === NO_KEY && newest.sequence > 0 && !accepts) return;
    const marked = { storeId: this.#storeId, sequence: newest.sequence, key: newest.key };
    const before = this.read();
    if (!accepts && before?.storeId === marked.storeId && before.sequence >= marked.sequence) return;
    const text = formatMark(marked);
    try {
      // Not truncated: a reader must find the old mark or the new one.
      this.#file ??= openSync(this.path, constants.O_RDWR | constants.O_CREAT, 0o600);
      writeSync(this.#file, text, 0, "latin1");
      this.#agreed = { text, marked };
    } catch {
      // The mark merely lags.
    }
  }
}

/**
 * Whether a store still has the commit that a mark names. A checkpoint that is not there under its number was removed, or
 * moved to another trail: numbers are given once.
 */
export function agrees(database: SqlRunner, marked: Marked, newest: Marked | undefined): boolean {
  if (newest?.storeId !== marked.storeId || marked.sequence > newest.sequence) return false;
  const found = database.sql("SELECT lower(hex(key)) AS key FROM checkpoints WHERE sequence = ?");
  // Before the first commit, and after the newest checkpoint was removed, there is no key to compare.
  return marked.key === NO_KEY || (found.get(marked.sequence)?.key ?? marked.key) === marked.key;
}

/** Of a fixed length, so that a new mark covers the old one. */
export function formatMark({ storeId, sequence, key }: Marked): string {
  const text = `${storeId} ${String(sequence).padStart(16, "0")} ${key} `;
  return `${text}${checksum(text)}\n`;
}

export function parseMark(text: string): Marked | undefined {
  const [storeId = "", sequence = "", key = "", sum] = text.trimEnd().split(" ");
  const marked = { storeId, sequence: Number(sequence), key };
  return sum !== undefined && formatMark(marked) === text ? marked : undefined;
}

const checksum = (text: string) => hash("sha256", text, "hex").slice(0, 16);
