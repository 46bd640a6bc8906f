import { align } from "./align.ts";
import { copyOf, isLong, joinParts, partOf, type Entry, type Leaf, type Tree } from "./entry.ts";
import { setOwn, type JsonObject } from "./json.ts";
import { INLINE_CHARS, MAX_DEPTH, MAX_STATE_CHARS } from "./limits.ts";
import { newIndex, newValue, type NewObject, type ObjectWriter } from "./object-format.ts";
import type { ObjectId } from "./object-id.ts";
import { refusal, tooDeep, tooLarge, whyRefused } from "./refusal.ts";
import { isSame, plain } from "./same.ts";
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
  if (memory && entry === memory.entry) return { memory, objects: [] };
  const root = encoding.writeRoot(entry, memory?.root);
  return { memory: { root, entry }, objects: encoding.objects };
}

/** A fresh copy of a remembered state. */
export function recall(memory: Memory): JsonObject {
  return copyOf(memory.entry) as JsonObject;
}

class Encoding implements ObjectWriter {
  readonly objects: NewObject[] = [];
  readonly #state: object;
  readonly #remembersSources: boolean;
  readonly #path: (string | number)[] = [];
  #chars = 0;

  constructor(state: object, recognition: Recognition) {
    this.#state = state;
    this.#remembersSources = recognition === "identity";
  }

  write(object: NewObject): ObjectId {
    this.objects.push(object);
    return object.id;
  }

  writeRoot(entry: Entry, predecessor: ObjectId | undefined): ObjectId {
    const target = entry.kind === "leaf" ? undefined : entry.target;
    if (typeof target === "string") return target;
    if (target) return this.write(newIndex(target.kind, target.children, predecessor));
    const { text, links } = partOf(entry);
    return this.write(newValue("V", text, links, predecessor));
  }

  /** The entry for a value that was remembered as `old`: `old` itself when nothing changed. */
  update(value: unknown, old: Entry, depth: number): Entry {
    if (old.kind === "leaf") return this.#isLeaf(value, old) ? old : this.fresh(value, depth);
    if (old.kind === "string") return value === old.value ? old : this.fresh(value, depth, old);
    if (old.source !== undefined && value === old.source) return old;
    return this.fresh(value, depth, old);
  }

  #isLeaf(value: unknown, leaf: Leaf): boolean {
    if (leaf.source !== undefined && value === leaf.source) return true;
    if (!isSame(value, leaf.value)) return false;
    if (this.#remembersSources && typeof value === "object") leaf.source = value;
    return true;
  }

  /** The entry for a value that is new here; parts of `old` are used where they still fit. */
  fresh(value: unknown, depth: number, old?: Entry): Entry {
    const json = typeof value === "object" && value !== null ? plain(value, this.#path.at(-1)) : value;
    if (typeof json === "string") return this.#string(json, old);
    const why = whyRefused(json);
    if (why !== undefined) throw refusal(why, this.#path);
    if (typeof json !== "object" || json === null) {
      const leaf = leafOf(json as number | boolean | null);
      this.#count((leaf.text as string).length);
      return leaf;
    }
    if (depth > MAX_DEPTH) throw tooDeep(this.#state, this.#path);
    const tree = old?.kind === "tree" ? old : undefined;
    return Array.isArray(json)
      ? this.#array(json, depth, tree, value)
      : this.#object(json, depth, tree, value);
  }

  #string(value: string, old: Entry | undefined): Entry {
    const text = JSON.stringify(value);
    this.#count(text.length);
    if (text.length <= INLINE_CHARS) return { kind: "leaf", value, text, source: undefined };
    const target = storeString(value, text, old?.kind === "string" ? old.target : undefined, this);
    return { kind: "string", value, target };
  }

  #array(values: readonly unknown[], depth: number, old: Tree | undefined, source: unknown): Entry {
    const former = old?.keys ? undefined : old;
    const entries = align(values, former?.entries ?? [], {
      isSame: (value, entry) => this.#matches(value, entry),
      encode: (value, entry, index) => this.#child(index, value, depth, entry),
    });
    return this.#container(undefined, entries, former, source);
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
      entries.push(
        this.#child(key, child, depth, at === undefined || !old?.keys ? undefined : old.entries[at]),
      );
      keys.push(key);
    }
    return this.#container(keys, entries, old?.keys ? old : undefined, source);
  }

  #child(step: string | number, value: unknown, depth: number, old: Entry | undefined): Entry {
    this.#path.push(step);
    const entry = old ? this.update(value, old, depth + 1) : this.fresh(value, depth + 1);
    this.#path.pop();
    return entry;
  }

  /** Whether a value is still what an entry remembers, without encoding anything. */
  #matches(value: unknown, entry: Entry): boolean {
    if (entry.kind === "leaf") return this.#isLeaf(value, entry);
    if (entry.kind === "string") return value === entry.value;
    if (entry.source !== undefined && value === entry.source) return true;
    if (typeof value !== "object" || value === null) return false;
    const json = plain(value);
    if (Array.isArray(json)) {
      return (
        !entry.keys &&
        json.length === entry.entries.length &&
        json.every((item, index) => this.#matches(item, entry.entries[index] as Entry))
      );
    }
    return (
      entry.keys !== undefined &&
      this.#matchesObject(json as Record<string, unknown>, entry.keys, entry.entries)
    );
  }

  #matchesObject(
    value: Record<string, unknown>,
    keys: readonly string[],
    entries: readonly Entry[],
  ): boolean {
    const present = Object.keys(value).filter((key) => value[key] !== undefined);
    return (
      present.length === keys.length &&
      present.every((key, index) => key === keys[index] && this.#matches(value[key], entries[index] as Entry))
    );
  }

  #container(
    keys: readonly string[] | undefined,
    entries: readonly Entry[],
    old: Tree | undefined,
    source: unknown,
  ): Entry {
    const remembered = this.#remembersSources ? source : undefined;
    if (old && isUnchanged(keys, entries, old)) {
      old.source = remembered;
      return old;
    }
    if (isLong(keys, entries)) return { ...storeTree(keys, entries, old, this), source: remembered };
    if (entries.every((entry) => entry.kind === "leaf")) return collapse(keys, entries, remembered);
    return {
      kind: "tree",
      keys,
      entries,
      target: undefined,
      levels: [],
      part: undefined,
      source: remembered,
    };
  }

  #count(chars: number): void {
    this.#chars += chars;
    if (this.#chars > MAX_STATE_CHARS) throw tooLarge();
  }
}

function leafOf(value: number | boolean | null): Leaf {
  // JSON has no -0: it reads back as 0, so it is remembered as 0.
  return {
    kind: "leaf",
    value: value === 0 ? 0 : value,
    text: String(value === 0 ? 0 : value),
    source: undefined,
  };
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
  for (let index = 0; index < entries.length; index++) {
    if (entries[index] !== old.entries[index] || keys?.[index] !== old.keys?.[index]) return false;
  }
  return true;
}
