// A second reader of Cairn's stores and exports, written from docs/reference/format.md alone. It shares no code with the
// library: when it and the library disagree, one of the three is wrong.
import { createHash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { zstdDecompressSync } from "node:zlib";

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
type Child = [count: number, id: string];
type Link =
  | [path: (string | number)[], target: string]
  | [path: (string | number)[], kind: string, children: Child[]];

/** Gives an object's bytes by its id, or undefined. */
type Get = (id: string) => Uint8Array | undefined;

const FIRST_BYTE_OF_ZSTD = 0x28;
const FIRST_BYTE_OF_PATCH = 0x01;
const FIRST_BYTE_OF_COMPRESSED_PATCH = 0x02;
const DICTIONARY_OF_A_PATCH = 1024;
const MOST_BASES = 32;

export interface Loaded {
  readonly id: string;
  readonly checkpoint: { [key: string]: Json };
  readonly state: Json;
  /** How many objects were read, each checked against its hash. */
  readonly objects: number;
  /** Which of the document's forms were met, so that a test can tell that none was left out. */
  readonly forms: ReadonlySet<string>;
}

/** The newest checkpoint of a trail in a store. */
export function loadFromStore(path: string, trail: string): Loaded {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    if (db.prepare("PRAGMA application_id").get()?.application_id !== 0x43414952)
      throw new Error("not a Cairn store");
    if (db.prepare("PRAGMA user_version").get()?.user_version !== 3)
      throw new Error("another format version");
    const head = db.prepare("SELECT head FROM trails WHERE name = ?").get(trail)?.head as Uint8Array;
    const forms = new Set<string>();
    const get = (id: string) => {
      const key = Buffer.from(id.slice(0, 32), "hex");
      const row = db.prepare("SELECT object FROM ids WHERE hash = ?").get(key)?.object as number | undefined;
      return row === undefined ? undefined : unpack(db, row, forms);
    };
    return load(Buffer.from(head).toString("hex"), get, forms);
  } finally {
    db.close();
  }
}

/** Everything in a store: every checkpoint of every trail, its records, the log. Whatever does not match its hash throws. */
export function loadAll(path: string): {
  readonly checkpoints: readonly (Loaded & {
    readonly trail: string;
    readonly records: Record<string, string>;
  })[];
  readonly removedTrails: readonly string[];
  readonly log: readonly Json[];
} {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const all = (sql: string, ...values: number[]) => db.prepare(sql).all(...values);
    const sha256 = (...parts: (string | Uint8Array)[]) =>
      parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest("hex");
    const get = (id: string) => {
      const key = Buffer.from(id.slice(0, 32), "hex");
      const row = db.prepare("SELECT object FROM ids WHERE hash = ?").get(key)?.object;
      return row === undefined ? undefined : unpack(db, row as number, new Set());
    };
    const checkpoints = all(
      "SELECT object, name FROM checkpoints JOIN trails ON trails.id = trail ORDER BY sequence",
    ).map(({ object, name }) => {
      const id = sha256(unpack(db, object as number, new Set()));
      const records: Record<string, string> = {};
      for (const row of all("SELECT key, hash, value FROM records WHERE object = ?", object as number)) {
        const { key, hash, value } = row as { key: string; hash: Uint8Array; value: Uint8Array };
        const expected = sha256(`${id.slice(0, 32)}\n${JSON.stringify(key)}\n`, value).slice(0, 32);
        if (Buffer.from(hash).toString("hex") !== expected) throw new Error(`record ${key} is damaged`);
        records[key] = Buffer.from(value).toString();
      }
      return { ...load(id, get, new Set()), trail: name as string, records };
    });
    let before = String(db.prepare("SELECT value FROM meta WHERE key = 'store_id'").get()?.value);
    const log = all("SELECT number, entry, hash FROM log ORDER BY number").map(
      ({ number, entry, hash }, at) => {
        before = sha256(`${before}\n${String(entry)}`);
        if (number !== at + 1 || Buffer.from(hash as Uint8Array).toString("hex") !== before)
          throw new Error(`log entry ${String(number)} is damaged`);
        return JSON.parse(String(entry)) as Json;
      },
    );
    const removedTrails = all("SELECT name FROM trails WHERE removed = 1").map(({ name }) => String(name));
    return { checkpoints, removedTrails, log };
  } finally {
    db.close();
  }
}

function unpack(db: DatabaseSync, row: number, forms: Set<string>, above = 0): Uint8Array {
  if (above > MOST_BASES) throw new Error(`row ${row} has too many rows above it`);
  const { base, data } = db.prepare("SELECT base, data FROM objects WHERE id = ?").get(row) as {
    base: number | null;
    data: Uint8Array;
  };
  if (base !== null) {
    const before = unpack(db, base, forms, above + 1);
    if (data[0] === FIRST_BYTE_OF_PATCH) {
      forms.add("patch");
      return patched(before, data.subarray(1));
    }
    if (data[0] === FIRST_BYTE_OF_COMPRESSED_PATCH) {
      forms.add("compressed patch");
      const dictionary = before.subarray(-DICTIONARY_OF_A_PATCH);
      return patched(before, zstdDecompressSync(data.subarray(1), { dictionary }));
    }
    forms.add("frame with a dictionary");
    return zstdDecompressSync(data, { dictionary: before });
  }
  const isFrame = data[0] === FIRST_BYTE_OF_ZSTD;
  forms.add(isFrame ? "frame" : "raw");
  return isFrame ? zstdDecompressSync(data) : data;
}

export function patched(base: Uint8Array, patch: Uint8Array): Uint8Array {
  const result: number[] = [];
  let at = 0;
  let inBase = 0;
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = patch[at++] as number;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  while (at < patch.length) {
    for (let keep = number(); keep > 0; keep--) result.push(base[inBase++] as number);
    inBase += number();
    const length = number();
    const bytes = Buffer.from(patch.subarray(at, at + (length >> 1)));
    at += length >> 1;
    for (const byte of (length & 1) === 1 ? Buffer.from(bytes.toString("hex")) : bytes) result.push(byte);
  }
  return Uint8Array.from([...result, ...base.subarray(inBase)]);
}

/** The head of a trail in an export. */
export function loadFromExport(text: string): Loaded {
  const lines = text.trimEnd().split("\n");
  const [header, ...rest] = lines.map((line) => JSON.parse(line) as { [key: string]: string });
  const { end } = rest.pop() as unknown as { end: { sha256: string } };
  const before = text.slice(0, text.lastIndexOf("\n", text.length - 2) + 1);
  if (createHash("sha256").update(before).digest("hex") !== end.sha256)
    throw new Error("the export was changed");
  const objects = new Map(
    rest.map(({ object, checkpoint, text }) => [object ?? checkpoint, Buffer.from(text as string)]),
  );
  return load(header?.head as string, (id) => objects.get(id), new Set());
}

function load(id: string, get: Get, forms: Set<string>): Loaded {
  let objects = 0;
  const read = (wanted: string): [kind: string, header: string, body: string] => {
    const bytes = get(wanted);
    if (bytes === undefined) throw new Error(`object ${wanted} is missing`);
    if (createHash("sha256").update(bytes).digest("hex") !== wanted)
      throw new Error(`object ${wanted} is damaged`);
    objects++;
    const text = Buffer.from(bytes).toString("utf8");
    const end = text.indexOf("\n");
    forms.add(text.slice(0, 1));
    return [text.slice(0, 1), text.slice(1, end) || "[]", text.slice(end + 1)];
  };

  const value = (wanted: string): Json => {
    const [kind, header, body] = read(wanted);
    if (kind !== "V" && kind !== "C") return join(kind, JSON.parse(header) as Child[]);
    let whole = JSON.parse(body) as Json;
    for (const [path, target, children] of JSON.parse(header) as Link[]) {
      if (children) forms.add(`inline ${target}`);
      whole = put(whole, path, children ? join(target, children) : value(target));
    }
    return whole;
  };

  const join = (kind: string, children: Child[]): Json => {
    const parts = children.map(([, child]) => value(child));
    if (kind === "S") return (parts as string[]).join("");
    if (kind === "A") return parts.flat(1);
    return Object.fromEntries(parts.flatMap((part) => Object.entries(part as { [key: string]: Json })));
  };

  const { state, ...checkpoint } = value(id) as { [key: string]: Json };
  return { id, checkpoint, state: state as Json, objects, forms };
}

function put(whole: Json, path: (string | number)[], linked: Json): Json {
  if (path.length === 0) return linked;
  const container = path
    .slice(0, -1)
    .reduce<Json>((inside, step) => (inside as Json[])[step as number] as Json, whole);
  // Defined, not assigned, because a key may be called __proto__.
  Object.defineProperty(container, path.at(-1) as string, {
    value: linked,
    enumerable: true,
    configurable: true,
    writable: true,
  });
  return whole;
}
