import { CheckpointError } from "../../core/errors.ts";
import { formatPath, setOwn, type Json, type JsonObject, type Path } from "../../core/objects/json.ts";
import { isRecord } from "../../core/text/untrusted.ts";

/**
 * The fields of another program's JSON object, taken out one by one. What is not taken is left in `rest`, so nothing is
 * dropped. A value of the wrong kind is refused with its path.
 */
export class ForeignFields {
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
    // Ids are often numbers elsewhere, and texts here.
    const value = this.#take(names, "a text", isTextOrNumber);
    return value === null ? null : String(value);
  }

  /** A time that can be read; null when there is none. */
  time(name: string): string | null {
    const text = this.text(name);
    if (text === null || !Number.isNaN(foreignTime(text))) return text;
    throw wrong(this.#source, [...this.#path, name], "a time such as 2026-02-14T10:30:00Z", text);
  }

  /** Refuses an object that lacks one of these, though it may be null. */
  require(...names: readonly string[]): void {
    const missing = names.find((name) => !Object.hasOwn(this.#value, name));
    if (missing === undefined) return;
    const message = `"${this.#source}" cannot be imported. Missing required field: ${missing}.`;
    throw new CheckpointError("usage", message, {
      hint: `Add "${missing}" to the file, then import it again. Nothing was imported.`,
      details: { source: this.#source, field: missing },
    });
  }

  list(...names: readonly string[]): readonly Json[] {
    return this.#take(names, "a list", Array.isArray) ?? [];
  }

  texts(...names: readonly string[]): string[] {
    const name = this.#nameAmong(names) ?? "";
    return this.list(...names).map((item, index) => {
      if (isTextOrNumber(item)) return String(item);
      throw wrong(this.#source, [...this.#path, name, index], "a text", item);
    });
  }

  /** A list of objects, each as fields of its own. */
  objects(name: string): ForeignFields[] {
    return this.list(name).map((item, index) => this.#below(item, name, index));
  }

  /** The same where the objects may also stand under keys, such as their ids. */
  keyedObjects(name: string): (readonly [key: string | number, ForeignFields])[] {
    if (!isRecord(this.#value[name])) return [...this.objects(name).entries()];
    return Object.entries(this.object(name)).map(([key, item]) => [key, this.#below(item, name, key)]);
  }

  object(name: string): JsonObject {
    return this.#take([name], "an object", isJsonObject) ?? {};
  }

  flag(name: string): boolean | null {
    return this.#take([name], "true or false", (value) => typeof value === "boolean");
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

  #below(value: Json, name: string, key: string | number): ForeignFields {
    return new ForeignFields(value, this.#source, [...this.#path, name, key]);
  }

  #take<Value extends Json>(
    names: readonly string[],
    wanted: string,
    is: (value: Json) => value is Value,
  ): Value | null {
    const name = this.#nameAmong(names);
    if (name === undefined) return null;
    this.#taken.add(name);
    const value = this.#value[name] ?? null;
    if (value === null || is(value)) return value;
    throw wrong(this.#source, [...this.#path, name], wanted, value);
  }

  #nameAmong(names: readonly string[]): string | undefined {
    return names.find((name) => Object.hasOwn(this.#value, name));
  }
}

const TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:?\d\d)?)?$/;

/**
 * A time of another program, in milliseconds; NaN if it is none. `Date.parse` alone would take "about 5" for a time, and
 * the 30th of February for the 2nd of March. Python writes UTC without saying so.
 */
export function foreignTime(text: string): number {
  const [, day = "", time = "00:00", zone = "Z"] = TIME.exec(text) ?? [];
  const isDay = new Date(Date.parse(day) || 0).toISOString().startsWith(day);
  return day !== "" && isDay ? Date.parse(`${day}T${time}${zone}`) : NaN;
}

const isTextOrNumber = (value: Json) => typeof value === "string" || typeof value === "number";
const isJsonObject = (value: Json): value is JsonObject => isRecord(value);

export function wrong(source: string, path: Path, wanted: string, found: Json | undefined): CheckpointError {
  const place = formatPath(path);
  const shown = JSON.stringify(found ?? null).slice(0, 60);
  return new CheckpointError("usage", `In "${source}", ${place} is ${shown}, where ${wanted} is needed.`, {
    hint: `Correct ${place} in the file, then import it again. Nothing was imported.`,
    details: { source, field: place },
  });
}
