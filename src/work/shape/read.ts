import { isRecord } from "../../core/text/untrusted.ts";
import { type Keywords, moreOf, type Shape } from "./shape.ts";

type Read<Value = unknown> = (value: unknown) => Value | undefined;

/** The value itself where it has the shape, else the nearest that does; undefined where there is none. Never throws. */
export function read<Value>(shape: Shape<Value>, value: unknown): Value | undefined {
  return readerOf(shape)(value) as Value | undefined;
}

const readers = new WeakMap<Shape, Read>();

/** Made once for each shape: thousands of tasks are read by it. */
function readerOf(shape: Shape): Read {
  let reader = readers.get(shape);
  if (reader === undefined) readers.set(shape, (reader = moreOf(shape).read ?? newReader(shape)));
  return reader;
}

function newReader(shape: Shape): Read {
  const { type, enum: words, items, properties }: Keywords = shape;
  // Any other text is read as well: a newer version may have a word more.
  if (words !== undefined) return readText;
  if (type === undefined) return (value) => value ?? undefined;
  if (typeof type !== "string") return readFirst(type.map((each) => readerOf({ type: each })));
  if (items !== undefined) return (value) => readList(value, readerOf(items));
  if (properties === undefined) return BY_TYPE[type] ?? (() => undefined);
  const [names, parts] = [Object.keys(properties), Object.values(properties).map(partOf)];
  return (value) => readParts(value, names, parts);
}

/** Text that says something. Programs write numbers and flags for it, too. */
export function readText(value: unknown): string | undefined {
  if (typeof value === "string") return value.charCodeAt(0) > 32 || value.trim() !== "" ? value : undefined;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

const readNumber: Read = (value) => (typeof value === "number" ? value : undefined);
const BY_TYPE: Readonly<Record<string, Read>> = {
  string: readText,
  number: readNumber,
  integer: readNumber,
  boolean: (value) => (typeof value === "boolean" ? value : undefined),
  null: (value) => (value === null ? value : undefined),
  array: (value) => (Array.isArray(value) ? value : undefined),
  object: (value) => (isRecord(value) ? value : undefined),
};

const readFirst =
  (all: readonly Read[]): Read =>
  (value) => {
    for (const each of all) {
      const found = each(value);
      if (found !== undefined) return found;
    }
    return undefined;
  };

/** Entries that do not fit are left out. */
function readList(value: unknown, readItem: Read): unknown {
  if (!Array.isArray(value)) return undefined;
  let fitting = 0;
  while (fitting < value.length && readItem(value[fitting]) === value[fitting]) fitting++;
  if (fitting === value.length) return value;
  const rest = value.slice(fitting).map(readItem);
  return [...value.slice(0, fitting), ...rest.filter((item) => item !== undefined)];
}

interface Part {
  readonly read: Read;
  readonly isOptional: boolean;
  readonly fallback: unknown;
}

function partOf(shape: Shape): Part {
  const { isOptional = false, fallback } = moreOf(shape);
  return { read: readerOf(shape), isOptional, fallback };
}

/**
 * The object itself if all its parts are as they should be: nearly always, and then nothing is copied. A part that has
 * neither a fallback nor is optional must fit, or else the object does not. Loops by index, here and in lists: a command
 * that reads thousands of tasks ends before iterators are compiled.
 */
function readParts(value: unknown, names: readonly string[], parts: readonly Part[]): unknown {
  if (!isRecord(value)) return undefined;
  let view = value;
  for (let at = 0; at < names.length; at++) {
    const name = names[at] as string;
    const part = parts[at] as Part;
    const found = value[name];
    if (found === undefined && part.isOptional) continue;
    const fitting = part.read(found);
    if (fitting === found && found !== undefined) continue;
    const wanted = fitting === undefined ? part.fallback : fitting;
    if (wanted === undefined && !part.isOptional) return undefined;
    if (view === value) view = { ...value };
    if (wanted === undefined) delete view[name];
    else view[name] = wanted;
  }
  return view;
}
