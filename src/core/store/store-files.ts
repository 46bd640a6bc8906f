import { statSync } from "node:fs";
import { dirname } from "node:path";

/** The main file, the log, and what processes share about the log. A handle that writes holds all three open. */
export const ENDINGS = ["", "-wal", "-shm"] as const;

/**
 * The files of a store, as they were when it was opened. SQLite goes on with them when somebody deletes or replaces them,
 * and reports no error: whatever it writes from then on is out of everybody's reach.
 */
export class StoreFiles {
  readonly #folder: string;
  readonly #opened: ReadonlyMap<string, string | undefined>;
  /** What the folder's stamp was when the files were found in their places. */
  #found: string | undefined;

  constructor(path: string) {
    this.#folder = dirname(path);
    this.#opened = new Map(ENDINGS.map((ending) => [path + ending, identityOf(path + ending)]));
  }

  /**
   * Whether nothing was created, deleted, renamed or replaced in the folder since the files were found in their places.
   * Since Linux 6.13, calling stat on the log makes the next sync write its inode too, which costs a quarter of a raw append.
   */
  get areUntouched(): boolean {
    return this.#found !== undefined && this.#found === stampOf(this.#folder);
  }

  /** A file that is not, or no longer, the one that was opened. */
  findLost(): string | undefined {
    const stamp = stampOf(this.#folder);
    for (const [path, identity] of this.#opened) {
      if (identity === undefined || identityOf(path) !== identity) return path;
    }
    this.#found = stamp;
    return undefined;
  }
}

/** Some file systems keep whole seconds only: their times are multiples of this. */
const COARSE_MS = 10;
/** The clock that files are stamped with may tick every 10 ms only, so a time this recent may be given twice. */
const SETTLED_MS = 100;

/** Which folder it is, and when something in it last changed; undefined when the next change might bear the same time. */
function stampOf(folder: string): string | undefined {
  try {
    const { dev, ino, ctimeMs } = statSync(folder);
    const isSettled = ctimeMs % COARSE_MS !== 0 && Date.now() - ctimeMs > SETTLED_MS;
    return isSettled ? `${dev}:${ino}:${ctimeMs}` : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The device and inode of a file; undefined if it cannot be found under its name, for whatever reason. The inode of an
 * open file is never given to another one. Windows may have none to tell (0), but lets nobody delete or replace a file
 * that SQLite has open, so there every file counts as the same.
 */
function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return ino === 0n ? "unknown" : `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}
