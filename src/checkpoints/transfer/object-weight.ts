import { MAX_DEPTH, MAX_STATE_CHARS } from "../../objects/limits.ts";
import { parseObject, type ParsedObject, type Target } from "../../objects/object-format.ts";
import type { ObjectId } from "../../objects/object-id.ts";
import { endOfString } from "./parse-json.ts";

/** What an object becomes when it is read with everything that it refers to. */
export interface Weight {
  readonly chars: number;
  readonly depth: number;
}

/** Index objects nest too, so reading may go deeper than the state does. More than this no writer produces. */
const MAX_READING_DEPTH = 4 * MAX_DEPTH;
const MAX_READING_CHARS = 2 * MAX_STATE_CHARS;

/**
 * How heavy an object from elsewhere is, or why it is refused. Objects are shared, so a few hundred of them could
 * stand for a state that no memory holds: each one's hash would be right.
 */
export function weigh(bytes: Uint8Array, weightOf: (id: ObjectId) => Weight | undefined): Weight | string {
  const object = parseObject(bytes);
  let { chars, depth } = ownWeight(object);
  for (const { level, id } of childrenOf(object)) {
    const child = weightOf(id);
    if (child === undefined) return `it refers to object ${id}, which is not there`;
    chars += child.chars;
    depth = Math.max(depth, level + 1 + child.depth);
  }
  if (depth > MAX_READING_DEPTH) return `it nests deeper than ${MAX_READING_DEPTH} levels`;
  if (chars > MAX_READING_CHARS) return `it stands for more than ${MAX_READING_CHARS} characters`;
  return { chars, depth };
}

function childrenOf(object: ParsedObject): { level: number; id: ObjectId }[] {
  if ("children" in object) return object.children.map(([, id]) => ({ level: 0, id }));
  return object.links.flatMap(({ path, target }) => idsOf(target).map((id) => ({ level: path.length, id })));
}

const idsOf = (target: Target) =>
  typeof target === "string" ? [target] : target.children.map(([, id]) => id);

function ownWeight(object: ParsedObject): Weight {
  if ("children" in object) return { chars: 0, depth: 0 };
  // Parsed only to make sure that it is JSON: an object that is none could never be loaded.
  JSON.parse(object.body);
  return { chars: object.body.length, depth: nesting(object.body) };
}

/** How deep JSON text nests, without walking the value: it may be too deep for that. */
function nesting(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let index = 0; index < text.length; index++) {
    const char = text.charCodeAt(index);
    if (char === QUOTE) index = endOfString(text, index);
    else if (char === OPEN_LIST || char === OPEN_OBJECT) deepest = Math.max(deepest, ++depth);
    else if (char === CLOSE_LIST || char === CLOSE_OBJECT) depth--;
  }
  return deepest;
}

const [QUOTE, OPEN_LIST, OPEN_OBJECT, CLOSE_LIST, CLOSE_OBJECT] = ['"', "[", "{", "]", "}"].map((char) =>
  char.charCodeAt(0),
);
