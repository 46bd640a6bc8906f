import { align } from "./align.ts";
import {
  charsOf,
  copyOf,
  inlineTree,
  isLong,
  joinParts,
  partOf,
  sharedOf,
  type Entry,
  type Leaf,
  type Tree,
} from "./entry.ts";
import { setOwn, type JsonObject } from "./json.ts";
import { INLINE_CHARS, MAX_DEPTH, MAX_STATE_CHARS } from "./limits.ts";
import { newIndex, newValue, type NewObject, type WriteObject } from "./object-format.ts";
import type { ObjectId } from "./object-id.ts";
import { refusal, tooDeep, tooLarge, whyRefused } from "./refusal.ts";
import { Matcher, plain } from "./same.ts";
import { storeString, storeTree } from "./store-apart.ts";

/**
 * How parts that did not change are recognised. `verify` compares every value with what was remembered:
 * safe when the caller changes the state in place. `identity` trusts that an object which is the same
 * reference has the same content: faster, and only right for states that are never mutated.
 */
export type Recognition = "verify" | "identity";

/** What an encoder remembers of a state, so that encoding the next one costs what changed. */
export interface Memory {
  readonly root: ObjectId;
  readonly entry: Entry;
}

export interface Encoded {
  readonly memory: Memory;
  /** The objects that were not in the remembered state, children before parents. */
  readonly objects: readonly NewObject[];
}

/** Turns a state into objects. Equal states give equal roots, whatever was remembered. */
export function encode(state: object, memory?: Memory, recognition: Recognition = "verify"): Encoded {
  const encoding = new Encoding(state, recognition);
  const entry = memory ? encoding.update(state, memory.entry, 0) : encoding.fresh(state, 0);
  if (entry === undefined) throw refusal("undefined", []);
  if (memory && entry === memory.entry) return { memory, objects: [] };
  if (charsOf(entry) > MAX_STATE_CHARS) throw tooLarge();
  const root = encoding.writeRoot(entry, memory?.root);
  return { memory: { root, entry }, objects: encoding.objects };
}

/** A fresh copy of a remembered state. */
export function recall(memory: Memory): JsonObject {
  return copyOf(memory.entry) as JsonObject;
}

/** A remembered state for a caller who promised never to change it: encoding the next one recognises its parts by identity. */
export function recallShared(memory: Memory): JsonObject {
  return sharedOf(memory.entry) as JsonObject;
}

class Encoding {
  readonly objects: NewObject[] = [];
  readonly #state: object;
  readonly #remembersSources: boolean;
  readonly #matcher: Matcher;
  readonly #path: (string | number)[] = [];
  /** Large values that were encoded, and how deep: a reference that stands in many places is walked through once. */
  readonly #encoded = new Map<object, { readonly entry: Entry; readonly depth: number }>();
  /** Characters of JSON that were made or referred to again: the state has no fewer, so this stops early what is too large. */
  #chars = 0;

  constructor(state: object, recognition: Recognition) {
    this.#state = state;
    this.#remembersSources = recognition === "identity";
    this.#matcher = new Matcher(this.#remembersSources);
  }

  readonly #write: WriteObject = (object) => {
    this.objects.push(object);
    return object.id;
  };

  writeRoot(entry: Entry, predecessor: ObjectId | undefined): ObjectId {
    const target = entry.kind === "leaf" ? undefined : entry.target;
    if (typeof target === "string") return target;
    if (target) return this.#write(newIndex(target.kind, target.children, predecessor));
    const { text, links } = partOf(entry);
    return this.#write(newValue("V", text, links, predecessor));
  }

  /** The entry for a value that was remembered as `old`: `old` itself when nothing changed. */
  update(value: unknown, old: Entry, depth: number): Entry | undefined {
    if (old.kind === "leaf") {
      const isOld = this.#matcher.matchesLeaf(value, old, this.#path.at(-1) ?? "");
      return isOld ? old : this.fresh(value, depth);
    }
    if (old.kind === "string") return value === old.value ? old : this.fresh(value, depth, old);
    if (old.source !== undefined && value === old.source) return old;
    return this.fresh(value, depth, old);
  }

  /**
   * The entry for a value that is new here; parts of `old` are used where they still fit. Undefined for what JSON leaves
   * out: undefined, and objects whose `toJSON` returns that.
   */
  fresh(value: unknown, depth: number, old?: Entry): Entry | undefined {
    const json = typeof value === "object" && value !== null ? plain(value, this.#path.at(-1) ?? "") : value;
    if (json === undefined) return undefined;
    if (typeof json === "string") return this.#string(json, old);
    const why = whyRefused(json);
    if (why !== undefined) throw refusal(why, this.#path);
    if (typeof json !== "object" || json === null) {
      const leaf = leafOf(json as number | boolean | null);
      this.#count((leaf.text as string).length);
      return leaf;
    }
    if (depth >= MAX_DEPTH) throw tooDeep(this.#state, this.#path);
    const known = old ? undefined : this.#encoded.get(json);
    // What is known from a place less deep might here be too deep.
    if (known && known.depth >= depth) {
      this.#count(charsOf(known.entry));
      return known.entry;
    }
    const tree = old?.kind === "tree" ? old : undefined;
    const entry = Array.isArray(json)
      ? this.#array(json, depth, tree, value)
      : this.#object(json, depth, tree, value);
    if (entry.kind === "tree") this.#encoded.set(json, { entry, depth });
    return entry;
  }

  #string(value: string, old: Entry | undefined): Entry {
    // Counted before it is written: the JSON of a very long string might not fit into a string.
    this.#count(value.length + 2);
    const text = JSON.stringify(value);
    if (text.length <= INLINE_CHARS) return { kind: "leaf", value, text, source: undefined };
    const target = storeString(value, text, old?.kind === "string" ? old.target : undefined, this.#write);
    return { kind: "string", value, target, chars: text.length };
  }

  #array(values: readonly unknown[], depth: number, old: Tree | undefined, source: unknown): Entry {
    const former = old?.keys ? undefined : old;
    const { entries, same } = align(values, former?.entries ?? [], {
      isSame: (value, entry, index) => this.#matcher.matches(value, entry, index),
      sources: arrayOf(former?.source),
      encode: (value, entry, index) => this.#element(index, value, depth, entry),
    });
    this.#count(Math.max(2, 1 + entries.length));
    return this.#container(undefined, entries, former, source, same);
  }

  #object(value: object, depth: number, old: Tree | undefined, source: unknown): Entry {
    const keys: string[] = [];
    const entries: Entry[] = [];
    let oldKeys: Map<string, number> | undefined;
    for (const key of Object.keys(value)) {
      const child = (value as Record<string, unknown>)[key];
      if (child === undefined) continue;
      let at: number | undefined = keys.length;
      if (old?.keys && old.keys[at] !== key) {
        oldKeys ??= new Map(old.keys.map((oldKey, index) => [oldKey, index]));
        at = oldKeys.get(key);
      }
      const former = at === undefined || !old?.keys ? undefined : old.entries[at];
      const entry = this.#child(key, child, depth, former);
      if (entry === undefined) continue;
      this.#count(key.length + 4);
      entries.push(entry);
      keys.push(key);
    }
    this.#count(keys.length > 0 ? 1 : 2);
    return this.#container(keys, entries, old?.keys ? old : undefined, source);
  }

  #element(index: number, value: unknown, depth: number, old: Entry | undefined): Entry {
    const entry = this.#child(index, value, depth, old);
    if (entry === undefined) throw refusal("undefined", [...this.#path, index]);
    return entry;
  }

  #child(step: string | number, value: unknown, depth: number, old: Entry | undefined): Entry | undefined {
    this.#path.push(step);
    const entry = old ? this.update(value, old, depth + 1) : this.fresh(value, depth + 1);
    this.#path.pop();
    return entry;
  }

  #container(
    keys: readonly string[] | undefined,
    entries: readonly Entry[],
    old: Tree | undefined,
    source: unknown,
    same = 0,
  ): Entry {
    const remembered = this.#remembersSources ? source : undefined;
    if (old && isUnchanged(keys, entries, old)) {
      old.source = remembered;
      return old;
    }
    if (isLong(keys, entries))
      return storeTree({ keys, entries, old, same, source: remembered }, this.#write);
    if (entries.every((entry) => entry.kind === "leaf")) return collapse(keys, entries, remembered);
    return inlineTree(keys, entries, remembered);
  }

  #count(chars: number): void {
    this.#chars += chars;
    if (this.#chars > MAX_STATE_CHARS) throw tooLarge();
  }
}

/** The elements of a caller's array, unless it has others for JSON. */
function arrayOf(source: unknown): readonly unknown[] | undefined {
  return Array.isArray(source) && !("toJSON" in source) ? source : undefined;
}

function leafOf(json: number | boolean | null): Leaf {
  // JSON has no -0: it reads back as 0, so it is remembered as 0.
  const value = json === 0 ? 0 : json;
  return { kind: "leaf", value, text: String(value), source: undefined };
}

/** A container whose parts are all short and inline is one short value. */
function collapse(keys: readonly string[] | undefined, leaves: readonly Leaf[], source: unknown): Leaf {
  const { text } = joinParts(keys, leaves, 0, leaves.length);
  if (!keys) return { kind: "leaf", value: leaves.map((leaf) => leaf.value), text, source };
  const value: JsonObject = {};
  for (const [index, key] of keys.entries()) setOwn(value, key, (leaves[index] as Leaf).value);
  return { kind: "leaf", value, text, source };
}

function isUnchanged(keys: readonly string[] | undefined, entries: readonly Entry[], old: Tree): boolean {
  if (entries.length !== old.entries.length) return false;
  for (let index = entries.length - 1; index >= 0; index--) {
    if (entries[index] !== old.entries[index] || keys?.[index] !== old.keys?.[index]) return false;
  }
  return true;
}
