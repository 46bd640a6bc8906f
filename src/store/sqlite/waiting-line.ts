import { randomInt } from "node:crypto";
import { closeSync, openSync, readdirSync, unlinkSync, watch, type FSWatcher } from "node:fs";
import { basename, dirname, join } from "node:path";
import { clearTimeout, setTimeout } from "node:timers";

/**
 * The processes that wait to write to a store, so that they need not look at its lock again and again: who waits leaves a
 * file beside the store, and who has finished removes the oldest, which wakes its owner. No more than a hint, because the
 * lock decides: what a killed process leaves is removed in its turn, and where there are no such files, one looks now and then.
 */
export class WaitingLine {
  readonly #folder: string;
  readonly #prefix: string;
  readonly #watchFile: typeof watch;

  constructor(store: string, watchFile = watch) {
    this.#watchFile = watchFile;
    this.#folder = dirname(store);
    this.#prefix = `${basename(store)}-waiting-`;
  }

  /** A place at the end. */
  enter(): Place {
    const name = `${Date.now()}-${randomInt(1e9)}`;
    return new Place(join(this.#folder, this.#prefix + name), this.#watchFile);
  }

  /** Wakes who has waited longest. Returns whether there was anybody. */
  callNext(): boolean {
    try {
      const waiting = readdirSync(this.#folder).filter((name) => name.startsWith(this.#prefix));
      const [first] = waiting.toSorted();
      if (first === undefined) return false;
      unlinkSync(join(this.#folder, first));
      return true;
    } catch {
      // Somebody else has called it, or the folder is gone: those that wait will look for themselves.
      return false;
    }
  }
}

/** Where one writer waits. */
class Place {
  readonly #file: string;
  readonly #watchFile: typeof watch;
  #watcher: FSWatcher | undefined;
  #wake: () => void = () => undefined;

  constructor(file: string, watchFile: typeof watch) {
    this.#file = file;
    this.#watchFile = watchFile;
  }

  /** Waits to be called, but no longer than so many milliseconds. Returns whether it was. */
  wait(milliseconds: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
      if (this.#watcher === undefined) this.#stand();
    });
  }

  #stand(): void {
    try {
      closeSync(openSync(this.#file, "wx", 0o600));
      this.#watcher = this.#watchFile(this.#file, () => this.#called()).on("error", () => this.#called());
    } catch {
      // Files cannot be made or watched here: it waits until the time is up. A call to it would be lost on it.
      this.#removeFile();
    }
  }

  #called(): void {
    this.#stopWatching();
    this.#wake();
  }

  #stopWatching(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  leave(): void {
    this.#stopWatching();
    this.#removeFile();
  }

  #removeFile(): void {
    try {
      unlinkSync(this.#file);
    } catch {
      // It is gone: called. If not, whoever calls it removes it.
    }
  }
}
