import { closeSync, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** A page that a file of a store holds: what it was when it was written there. */
export interface FoundPage {
  readonly file: number;
  readonly number: number;
  readonly at: number;
}

const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** What a store is made with. */
const USUAL_PAGE_BYTES = 2048;

/**
 * Every page in the files of a store, in the order in which they were written: logs that were kept, the main file, the log.
 * What SQLite makes of them does not matter: neither which pages its trees reach, nor where it takes a log to end.
 */
export class StorePages {
  readonly pageBytes: number;
  /** How much of a page is used: the rest is reserved. */
  readonly usableBytes: number;
  readonly #open: number[] = [];
  readonly #sizes: number[] = [];
  readonly #logs = new Map<number, readonly FoundPage[]>();

  constructor(store: string) {
    const kept = readdirSync(dirname(store)).filter((name) =>
      name.startsWith(`${basename(store)}-lost-log-`),
    );
    const logs = [...kept.toSorted().map((name) => join(dirname(store), name)), `${store}-wal`];
    for (const path of [store, ...logs]) {
      this.#open.push(openOrEmpty(path));
      this.#sizes.push(this.#open.at(-1) === NOT_THERE ? 0 : fstatSync(this.#open.at(-1) as number).size);
    }
    const header = this.#bytes(0, 0, 100);
    this.pageBytes = pageBytesOf(header, this.#bytes(this.#open.length - 1, 0, LOG_HEADER_BYTES));
    this.usableBytes = this.pageBytes - (header?.[20] ?? 0);
    for (let log = 1; log < this.#open.length; log++) this.#logs.set(log, this.#frames(log));
  }

  close(): void {
    for (const file of this.#open) if (file !== NOT_THERE) closeSync(file);
  }

  *all(): Generator<FoundPage> {
    const last = this.#open.length - 1;
    for (let log = 1; log < last; log++) yield* this.#logs.get(log) ?? [];
    for (let number = 1; number * this.pageBytes <= (this.#sizes[0] as number); number++)
      yield { file: 0, number, at: (number - 1) * this.pageBytes };
    yield* this.#logs.get(last) ?? [];
  }

  read(page: FoundPage): Buffer | undefined {
    return this.#bytes(page.file, page.at, this.pageBytes);
  }

  /** Another page, as a page of this file would find it: in the same log, or in the main file. */
  readBeside(page: FoundPage, number: number): Buffer | undefined {
    const frame = this.#logs.get(page.file)?.findLast((each) => each.number === number);
    return frame ? this.read(frame) : this.#bytes(0, (number - 1) * this.pageBytes, this.pageBytes);
  }

  /** The frames of a log: those of its header's salt, or all if the header is gone. What is older lies behind its end. */
  #frames(log: number): FoundPage[] {
    const header = this.#bytes(log, 0, LOG_HEADER_BYTES);
    const salt = header?.readUInt32BE(16) ?? 0;
    const frameBytes = FRAME_HEADER_BYTES + this.pageBytes;
    const found: FoundPage[] = [];
    for (let at = LOG_HEADER_BYTES; at + frameBytes <= (this.#sizes[log] as number); at += frameBytes) {
      const frame = this.#bytes(log, at, FRAME_HEADER_BYTES);
      const number = frame?.readUInt32BE(0) ?? 0;
      if (number === 0 || (salt !== 0 && frame?.readUInt32BE(8) !== salt)) continue;
      found.push({ file: log, number, at: at + FRAME_HEADER_BYTES });
    }
    return found;
  }

  /** Undefined where the file ends before, or the disk does not give them back. */
  #bytes(file: number, at: number, length: number): Buffer | undefined {
    if (at < 0 || at + length > (this.#sizes[file] as number)) return undefined;
    const bytes = Buffer.alloc(length);
    try {
      return readSync(this.#open[file] as number, bytes, 0, length, at) === length ? bytes : undefined;
    } catch {
      return undefined;
    }
  }
}

const NOT_THERE = -1;

function openOrEmpty(path: string): number {
  try {
    return openSync(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return NOT_THERE;
    throw error;
  }
}

function pageBytesOf(header: Buffer | undefined, logHeader: Buffer | undefined): number {
  const said = [
    header?.readUInt16BE(16) === 1 ? 65_536 : header?.readUInt16BE(16),
    logHeader?.readUInt32BE(8),
  ];
  const isPageSize = (bytes = 0) => bytes >= 512 && bytes <= 65_536 && Number.isInteger(Math.log2(bytes));
  return said.find(isPageSize) ?? USUAL_PAGE_BYTES;
}
