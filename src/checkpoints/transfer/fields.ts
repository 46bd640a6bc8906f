import { CheckpointError } from "../../errors.ts";
import { formatPath, setOwn, type Json, type JsonObject, type Path } from "../../objects/json.ts";
import { isRecord } from "../../text/untrusted.ts";

/**
 * The fields of somebody else's JSON object, taken out one by one. What nobody takes is left in `rest`, so nothing
 * is dropped; what is not of the kind that is needed is refused with its path.
 */
export class Fields {
  readonly #value: JsonObject;
  readonly #source: string;
  readonly #path: Path;
  readonly #taken = new Set<string>();

  constructor(value: Json | undefined, source: string, path: Path = []) {
    if (!isRecord(value)) throw wrong(source, path, "an object", value);
    this.#value = value;
    this.#source = source;
    this.#path = path;
  }

  /** A text, under the first of these names that is there; null when none is, or when it is null. */
  text(...names: readonly string[]): string | null {
    const [name, value] = this.#take(names);
    if (value === undefined || value === null) return null;
    if (typeof value === "string") return value;
    // Ids are often numbers elsewhere, and texts here.
    if (typeof value === "number") return String(value);
    throw wrong(this.#source, [...this.#path, name], "a text", value);
  }

  list(...names: readonly string[]): readonly Json[] {
    const [name, value] = this.#take(names);
    if (value === undefined || value === null) return [];
    if (Array.isArray(value)) return value;
    throw wrong(this.#source, [...this.#path, name], "a list", value);
  }

  texts(...names: readonly string[]): string[] {
    const name = names.find((candidate) => Object.hasOwn(this.#value, candidate)) ?? "";
    return this.list(...names).map((item, index) => {
      if (typeof item === "string" || typeof item === "number") return String(item);
      throw wrong(this.#source, [...this.#path, name, index], "a text", item);
    });
  }

  /** A list of objects, each as fields of its own. */
  objects(name: string): Fields[] {
    return this.list(name).map((item, index) => new Fields(item, this.#source, [...this.#path, name, index]));
  }

  object(name: string): JsonObject {
    const [, value] = this.#take([name]);
    if (value === undefined || value === null) return {};
    if (isRecord(value)) return value;
    throw wrong(this.#source, [...this.#path, name], "an object", value);
  }

  flag(name: string): boolean | null {
    const [, value] = this.#take([name]);
    if (value === undefined || value === null) return null;
    if (typeof value === "boolean") return value;
    throw wrong(this.#source, [...this.#path, name], "true or false", value);
  }

  /** A word out of a list, translated. What is not in it is refused, with the words that are. */
  word<Word>(name: string, words: Readonly<Record<string, Word>>): Word | null {
    const text = this.text(name);
    if (text === null) return null;
    if (Object.hasOwn(words, text.toLowerCase())) return words[text.toLowerCase()] as Word;
    throw wrong(this.#source, [...this.#path, name], `one of ${Object.keys(words).join(", ")}`, text);
  }

  /** Everything that was not taken. */
  rest(): JsonObject {
    const rest: JsonObject = {};
    for (const [key, value] of Object.entries(this.#value))
      if (!this.#taken.has(key)) setOwn(rest, key, value);
    return rest;
  }

  #take(names: readonly string[]): [name: string, value: Json | undefined] {
    const name = names.find((candidate) => Object.hasOwn(this.#value, candidate));
    if (name === undefined) return [names[0] as string, undefined];
    this.#taken.add(name);
    return [name, this.#value[name]];
  }
}

export function wrong(source: string, path: Path, wanted: string, found: Json | undefined): CheckpointError {
  const place = formatPath(path);
  const shown = JSON.stringify(found ?? null).slice(0, 60);
  return new CheckpointError("usage", `In "${source}", ${place} is ${shown}, where ${wanted} is needed.`, {
    hint: `Correct ${place} in the file, then import it again. Nothing was imported.`,
    details: { source, field: place },
  });
}
