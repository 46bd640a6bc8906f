/** A map of limited size: what was set longest ago is forgotten first. What was set last stays, however large it is. */
export class Recent<Key, Value> {
  readonly #limit: number;
  readonly #sizeOf: (value: Value) => number;
  readonly #values = new Map<Key, Value>();
  #size = 0;

  /** The size of a value must never change. */
  constructor(limit: number, sizeOf: (value: Value) => number) {
    this.#limit = limit;
    this.#sizeOf = sizeOf;
  }

  get(key: Key): Value | undefined {
    return this.#values.get(key);
  }

  set(key: Key, value: Value): void {
    this.delete(key);
    this.#values.set(key, value);
    this.#size += this.#sizeOf(value);
    for (const oldest of this.#values.keys()) {
      if (this.#size <= this.#limit || oldest === key) break;
      this.delete(oldest);
    }
  }

  delete(key: Key): void {
    const value = this.#values.get(key);
    if (value !== undefined) this.#size -= this.#sizeOf(value);
    this.#values.delete(key);
  }

  clear(): void {
    this.#values.clear();
    this.#size = 0;
  }
}
