/** A JSON text as a tree that knows where everything stands, so that it can be changed without being written anew. */
export type JsonNode = JsonBranch | JsonList | JsonLeaf;

interface Place {
  readonly start: number;
  readonly end: number;
}

export interface JsonBranch extends Place {
  readonly kind: "object";
  readonly members: readonly JsonMember[];
}

export interface JsonList extends Place {
  readonly kind: "array";
  readonly items: readonly JsonNode[];
}

interface JsonLeaf extends Place {
  readonly kind: "leaf";
  readonly value: unknown;
}

interface JsonMember {
  readonly key: string;
  readonly start: number;
  readonly node: JsonNode;
}

/** What is wrong with a text, and where. */
export class NotJson extends Error {
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.position = position;
  }
}

/** No settings of a person are nested deeper than this. */
const DEEPEST = 100;
const BLANK = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
const WORD = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|"(?:[^"\\\n]|\\.)*"/y;

/** Reads JSON, in which there may be comments and a comma behind the last value, as several clients allow them. */
export function readJsonTree(text: string): JsonNode {
  const reader = new Reader(text);
  const root = reader.node(0);
  reader.skipBlank();
  if (reader.position < text.length) throw new NotJson("Nothing may follow here.", reader.position);
  return root;
}

class Reader {
  // A mark at the beginning, which some editors write, is no part of the document.
  position: number;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    this.position = text.startsWith("\u{FEFF}") ? 1 : 0;
  }

  node(depth: number): JsonNode {
    this.skipBlank();
    const start = this.position;
    if (depth > DEEPEST) throw new NotJson("This is nested too deeply.", start);
    if (this.#take("{")) {
      const members = this.#list("}", () => this.#member(depth));
      const seen = new Set<string>();
      for (const { key, start: at } of members) {
        if (seen.has(key)) throw new NotJson(`"${key}" is there twice.`, at);
        seen.add(key);
      }
      return { kind: "object", start, end: this.position, members };
    }
    if (this.#take("[")) {
      const items = this.#list("]", () => this.node(depth + 1));
      return { kind: "array", start, end: this.position, items };
    }
    return { kind: "leaf", start, value: this.#word("A value is expected here."), end: this.position };
  }

  skipBlank(): void {
    this.#match(BLANK);
  }

  #member(depth: number): JsonMember {
    this.skipBlank();
    const start = this.position;
    const key = this.#text[start] === '"' ? this.#word("") : undefined;
    if (typeof key !== "string") throw new NotJson("A name in quotes is expected here.", start);
    this.skipBlank();
    if (!this.#take(":")) throw new NotJson("A colon is expected here.", this.position);
    return { key, start, node: this.node(depth + 1) };
  }

  #list<Item>(close: string, read: () => Item): Item[] {
    const items: Item[] = [];
    this.skipBlank();
    if (this.#take(close)) return items;
    for (;;) {
      items.push(read());
      this.skipBlank();
      if (this.#take(close)) return items;
      if (!this.#take(",")) throw new NotJson(`A comma or "${close}" is expected here.`, this.position);
      this.skipBlank();
      if (this.#take(close)) return items;
    }
  }

  #word(expected: string): unknown {
    const start = this.position;
    const word = this.#match(WORD);
    if (word === undefined) throw new NotJson(expected || "This text does not end.", start);
    try {
      return JSON.parse(word) as unknown;
    } catch {
      throw new NotJson("This is no valid text.", start);
    }
  }

  #take(sign: string): boolean {
    if (this.#text[this.position] !== sign) return false;
    this.position++;
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.position;
    const [found] = pattern.exec(this.#text) ?? [];
    if (found !== undefined) this.position = pattern.lastIndex;
    return found;
  }
}

/** The value that a node stands for. */
export function valueOf(node: JsonNode): unknown {
  if (node.kind === "leaf") return node.value;
  if (node.kind === "array") return node.items.map(valueOf);
  return Object.fromEntries(node.members.map(({ key, node: child }) => [key, valueOf(child)]));
}

/** The node at a path of names, or of places in a list; undefined when there is none. */
export function nodeAt(root: JsonNode, path: readonly string[]): JsonNode | undefined {
  let node: JsonNode | undefined = root;
  for (const name of path) {
    if (node?.kind === "array") node = node.items[Number(name)];
    else node = node?.kind === "object" ? node.members.find(({ key }) => key === name)?.node : undefined;
  }
  return node;
}
