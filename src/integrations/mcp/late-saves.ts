import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Events that are saved just after they were answered, so that the agent does not wait for the disk. They take
 * turns, and whoever wants to see what they saved waits for them.
 */
export class LateSaves {
  #last: Promise<void> = Promise.resolve();
  #owed = "";

  /** Begins once the answer to the event is on its way. What it says is owed to the client. */
  add(save: () => Promise<string>): void {
    this.#last = this.#saveAfter(this.#last, save);
  }

  /** Resolves when everything that was added is saved, or has failed. */
  async done(): Promise<void> {
    await this.#last;
  }

  /** What the client has not been told yet; once. */
  takeOwed(): string {
    const owed = this.#owed;
    this.#owed = "";
    return owed;
  }

  async #saveAfter(earlier: Promise<void>, save: () => Promise<string>): Promise<void> {
    await earlier;
    await nextTurn();
    const said = await save();
    if (said !== "") this.#owed = said;
  }
}
