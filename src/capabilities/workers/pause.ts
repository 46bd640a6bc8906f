/** A pause that can be ended early, also before it begins: what ended it is not missed. */
export class Pause {
  #isOver = false;
  #end: () => void = () => {};

  async last(ms: number): Promise<void> {
    if (!this.#isOver) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#end = resolve;
      const timer = setTimeout(resolve, ms);
      await promise;
      clearTimeout(timer);
    }
    this.#isOver = false;
  }

  end(): void {
    this.#isOver = true;
    this.#end();
  }
}
