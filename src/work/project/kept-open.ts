/** Something that must be closed. */
export interface Closable {
  close(): Promise<void>;
}

/** What capabilities keep open beside stores: opened by the first who asks, and closed with the stores. */
export class KeptOpen {
  readonly #kept = new Map<string, Promise<Closable>>();

  /** @param name Begins with that of the capability, which alone knows what is kept there. */
  async get<Kept extends Closable>(name: string, open: () => Promise<Kept>): Promise<Kept> {
    const kept = (this.#kept.get(name) as Promise<Kept> | undefined) ?? open();
    this.#kept.set(name, kept);
    return kept;
  }

  async close(): Promise<void> {
    const all = [...this.#kept.values()];
    this.#kept.clear();
    // If it never opened, who asked for it knows.
    await Promise.all(all.map(async (each) => (await each.catch(() => undefined))?.close()));
  }
}
