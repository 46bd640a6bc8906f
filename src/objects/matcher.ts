import type { Entry, Leaf } from "./entry.ts";
import { containerOf, isSame } from "./same.ts";

/**
 * Recognises values that are still what an entry remembers, without encoding anything. With `remembersSources` it
 * notes whose content it has compared: the caller promised never to change those objects.
 */
export class Matcher {
  readonly #remembersSources: boolean;

  constructor(remembersSources: boolean) {
    this.#remembersSources = remembersSources;
  }

  /** `key` is where the value stands: its `toJSON` may ask. */
  matches(value: unknown, entry: Entry, key: string | number): boolean {
    if (entry.kind === "leaf") return this.matchesLeaf(value, entry, key);
    if (entry.kind === "string") return value === entry.value;
    if (entry.source !== undefined && value === entry.source) return true;
    if (typeof value !== "object" || value === null) return false;
    const container = containerOf(value, key);
    if (container === undefined) return false;
    if (Array.isArray(container))
      return entry.keys === undefined && this.#matchesArray(container, entry.entries);
    return entry.keys !== undefined && this.#matchesObject(container, entry.keys, entry.entries);
  }

  matchesLeaf(value: unknown, leaf: Leaf, key: string | number): boolean {
    if (leaf.source !== undefined && value === leaf.source) return true;
    if (!isSame(value, leaf.value, key)) return false;
    if (this.#remembersSources && typeof value === "object") leaf.source = value;
    return true;
  }

  #matchesArray(values: readonly unknown[], entries: readonly Entry[]): boolean {
    if (values.length !== entries.length) return false;
    return entries.every((entry, index) => this.matches(values[index], entry, index));
  }

  #matchesObject(
    value: Readonly<Record<string, unknown>>,
    keys: readonly string[],
    entries: readonly Entry[],
  ): boolean {
    const present = Object.keys(value).filter((key) => value[key] !== undefined);
    return (
      present.length === keys.length &&
      present.every(
        (key, index) => key === keys[index] && this.matches(value[key], entries[index] as Entry, key),
      )
    );
  }
}
