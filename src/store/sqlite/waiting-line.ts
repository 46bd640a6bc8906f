import { randomInt } from "node:crypto";
import { closeSync, openSync, readdirSync, unlinkSync, watch, type FSWatcher } from "node:fs";
import { basename, dirname, join } from "node:path";
import { clearTimeout, setTimeout } from "node:timers";

/** Nobody waits as long: what is older was left by a process that was killed. */
const LONGEST_WAIT_MS = 60_000;

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
    const oldest = Date.now() - LONGEST_WAIT_MS;
    for (const name of this.#waiting()) {
      const isCalled = removeFile(join(this.#folder, name));
      const entered = Number(name.slice(this.#prefix.length).split("-")[0]);
      if (isCalled && entered > oldest) return true;
    }
    return false;
  }

  #waiting(): string[] {
    try {
      const names = readdirSync(this.#folder).filter((name) => name.startsWith(this.#prefix));
      return names.toSorted();
    } catch {
      // The folder cannot be read: those that wait will look for themselves.
      return [];
    }
  }
}

/** Where one writer waits. */
class Place {
  readonly #file: string;
  readonly #watchFile: typeof watch;
  #watcher: FSWatcher | undefined;
  #canBeCalled = true;
  #wake: () => void = () => undefined;

  constructor(file: string, watchFile: typeof watch) {
    this.#file = file;
    this.#watchFile = watchFile;
    this.#stand();
  }

  /** False where files cannot be made or watched: it can only look for itself. */
  get canBeCalled(): boolean {
    return this.#canBeCalled;
  }

  /** Waits to be called, but no longer than so many milliseconds. Returns whether it was. */
  wait(milliseconds: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
      if (this.#watcher === undefined && this.#canBeCalled) this.#stand();
    });
  }

  #stand(): void {
    try {
      closeSync(openSync(this.#file, "wx", 0o600));
      this.#watcher = this.#watchFile(this.#file, () => this.#called()).on("error", () => this.#called());
    } catch {
      // A call to it would be lost, and another that waits would not get it.
      this.#canBeCalled = false;
      removeFile(this.#file);
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
    removeFile(this.#file);
  }
}

/** False if it is gone, which means that somebody else has called it, or cannot be removed. */
function removeFile(file: string): boolean {
  try {
    unlinkSync(file);
    return true;
  } catch {
    return false;
  }
}
