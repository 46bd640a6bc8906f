/** Collects what arrives while a runner is busy, to be taken all at once. */
export class Inbox<T> {
  #items: T[] = [];
  #waiting: (() => void) | undefined;

  get size(): number {
    return this.#items.length;
  }

  put(item: T): void {
    this.#items.push(item);
    this.#waiting?.();
  }

  take(): T[] {
    return this.#items.splice(0);
  }

  /** Resolves when something has arrived, when the time is up, or when the signal is aborted. */
  async wait(timeoutMs: number, signal?: AbortSignal): Promise<void> {
    if (this.#items.length > 0 || signal?.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting = resolve;
    const timer = setTimeout(resolve, timeoutMs);
    signal?.addEventListener("abort", this.#waiting, { once: true });
    await promise;
    // Removed, because a run may wait for days, several times a second.
    signal?.removeEventListener("abort", this.#waiting);
    clearTimeout(timer);
    this.#waiting = undefined;
  }
}
