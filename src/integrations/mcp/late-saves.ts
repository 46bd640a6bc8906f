import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Events that are saved just after they were answered, so that the agent does not wait for the disk. They take
 * turns, and readers wait for them.
 */
export class LateSaves {
  #last: Promise<void> = Promise.resolve();
  #message = "";

  /** Begins once the answer to the event is on its way. What it says goes into the answer to the next event. */
  add(save: () => Promise<string>): void {
    this.#last = this.#saveAfter(this.#last, save);
  }

  /** Resolves when everything that was added is saved, or has failed. */
  async done(): Promise<void> {
    await this.#last;
  }

  /** The message that the client has not seen yet; returned once. */
  takeMessage(): string {
    const message = this.#message;
    this.#message = "";
    return message;
  }

  async #saveAfter(earlier: Promise<void>, save: () => Promise<string>): Promise<void> {
    await earlier;
    await nextTurn();
    const message = await save();
    if (message !== "") this.#message = message;
  }
}
