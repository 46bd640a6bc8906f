import { closeSync, constants, openSync, readSync } from "node:fs";
import type { DatabaseSync as Database } from "node:sqlite";

import { DatabaseSync } from "./node-sqlite.ts";

/** Reading must not change the file's times: the next sync would write its inode too. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOATIME ?? 0);

const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** How a log begins. Its checksums take the bytes of a word in the order of the machine that wrote it. */
const MAGIC = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? 0x377f0682 : 0x377f0683;

const FRAMES_PER_READ = 32;

/** How often in a row others may begin the log anew while it is looked at. */
const MAX_ATTEMPTS = 10;

type Sum = readonly [one: number, two: number];

/** How far a log is known to be whole: its last frame, and what that frame's checksum continues. */
interface Reached {
  readonly header: LogHeader;
  readonly frame: number;
  readonly sum: Sum;
}

/** What the header of a log says. The salt is another one each time the log is written from its beginning. */
interface LogHeader {
  readonly pageBytes: number;
  readonly salt: number;
  readonly sum: Sum;
}

/**
 * Tells whether a log still holds everything that was written to it. SQLite remembers where the log ends and never looks:
 * if another program truncates the file, SQLite writes on behind the gap, and what comes after a gap is gone for the next
 * process that opens the store. So after each commit the frames since the last one are read, and the last one before them
 * again. That costs a twentieth of a commit; a stat of the log would cost the next sync, and would not show the gap.
 */
export class LogReach {
  readonly #file: number;
  /** Of the last look that found everything. One that came in the middle of another process's write says nothing. */
  #reached: Reached | undefined;
  #frames = Buffer.alloc(0);

  /** No lock is ever taken on the log, so closing this descriptor gives none up. */
  constructor(store: string) {
    this.#file = openSync(`${store}-wal`, OPEN_FLAGS);
  }

  /** @param countFrames Asks SQLite how many there are. */
  isWhole(countFrames: () => number): boolean {
    for (let found = "", attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const frames = countFrames();
      if (frames <= 0) return true;
      const known = this.#reached;
      if (known && known.frame <= frames && this.#follow(known, frames)) return true;
      const header = this.#readHeader();
      // Within the same log, what was there cannot come back by reading from its beginning.
      const isNew = header !== undefined && header.salt !== known?.header.salt;
      if (isNew && this.#follow({ header, frame: 1, sum: header.sum }, frames)) return true;
      // Another process may have begun the log anew between the two looks; then the next look finds something else.
      const again = `${frames} ${header?.salt}`;
      if (again === found) return false;
      found = again;
    }
    return false;
  }

  close(): void {
    closeSync(this.#file);
  }

  /** Reads on from a frame that is read again itself. Remembers the last one, if all are there. */
  #follow({ header, frame: first, sum }: Reached, last: number): boolean {
    const frameBytes = header.pageBytes + FRAME_HEADER_BYTES;
    if (this.#frames.length !== frameBytes * FRAMES_PER_READ)
      this.#frames = Buffer.alloc(frameBytes * FRAMES_PER_READ);
    let [before, reached] = [sum, sum];
    for (let frame = first; frame <= last;) {
      const wanted = Math.min(FRAMES_PER_READ, last - frame + 1);
      const at = LOG_HEADER_BYTES + (frame - 1) * frameBytes;
      if (readSync(this.#file, this.#frames, 0, wanted * frameBytes, at) < wanted * frameBytes) return false;
      for (let index = 0; index < wanted; index++, frame++) {
        const bytes = this.#frames.subarray(index * frameBytes, (index + 1) * frameBytes);
        if (!isWritten(bytes, header.salt, before)) return false;
        reached = before;
        before = sumOf(bytes);
      }
    }
    this.#reached = { header, frame: last, sum: reached };
    return true;
  }

  #readHeader(): LogHeader | undefined {
    const header = Buffer.alloc(LOG_HEADER_BYTES);
    if (readSync(this.#file, header, 0, header.length, 0) < header.length) return undefined;
    if (header.readUInt32BE(0) !== MAGIC) return undefined;
    return {
      pageBytes: header.readUInt32BE(8),
      salt: header.readUInt32BE(16),
      sum: [header.readInt32BE(24), header.readInt32BE(28)],
    };
  }
}

const sumOf = (frame: Buffer): Sum => [frame.readInt32BE(16), frame.readInt32BE(20)];

/**
 * Whether a frame is there. Where a part of the log is gone, what SQLite writes next begins with a frame of its own: all
 * frames in the gap lack their header, except that the last one of a commit may only lack the end of its page.
 */
function isWritten(frame: Buffer, salt: number, before: Sum): boolean {
  if (frame.readUInt32BE(8) !== salt) return false;
  const isEndOfCommit = frame.readUInt32BE(4) !== 0;
  return !isEndOfCommit || hasSum(frame, before);
}

/** Whether a frame has the checksum that it bears, which covers all before it too. */
function hasSum(frame: Buffer, before: Sum): boolean {
  const words = new Int32Array(frame.buffer, frame.byteOffset, frame.length / 4);
  let [one, two] = before;
  for (let word = 0; word < words.length; word += 2) {
    // Of the frame's own header only the first two words count.
    if (word === 2) word = FRAME_HEADER_BYTES / 4;
    one = (one + (words[word] as number) + two) | 0;
    two = (two + (words[word + 1] as number) + one) | 0;
  }
  const [saidOne, saidTwo] = sumOf(frame);
  return one === saidOne && two === saidTwo;
}

/**
 * Closes a store whose log has a gap, and leaves the log as it is: the next process that opens the store finds what comes
 * before the gap. The last handle to close would move the log into the main file, gap and all, unless it only reads.
 */
export function closeBesideLog(db: Database, path: string): void {
  const last = new DatabaseSync(path, { readOnly: true });
  try {
    last.prepare("SELECT 1 FROM sqlite_schema").get();
  } catch {
    // It may have met the gap. It shares the store all the same.
  }
  db.close();
  last.close();
}
