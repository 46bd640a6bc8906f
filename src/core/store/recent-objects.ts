import type { ObjectId } from "../objects/object-id.ts";

/** How many bytes of objects are remembered that the next ones may be compressed against. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Objects that were committed or read last. The oldest are forgotten when there are too many bytes. */
export class RecentObjects<Value extends { readonly bytes: Uint8Array }> {
  readonly #values = new Map<ObjectId, Value>();
  #byteCount = 0;

  get(id: ObjectId): Value | undefined {
    return this.#values.get(id);
  }

  /** The bytes must never change again. */
  keep(id: ObjectId, value: Value): void {
    this.drop(id);
    this.#values.set(id, value);
    this.#byteCount += value.bytes.length;
    while (this.#byteCount > MAX_BYTES) this.drop(this.#values.keys().next().value as ObjectId);
  }

  drop(id: ObjectId): void {
    this.#byteCount -= this.#values.get(id)?.bytes.length ?? 0;
    this.#values.delete(id);
  }

  clear(): void {
    this.#values.clear();
    this.#byteCount = 0;
  }
}
