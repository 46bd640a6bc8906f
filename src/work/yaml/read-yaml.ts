import { isMap, isNode, isPair, isSeq, LineCounter, parseDocument } from "yaml";

import type { Path } from "../../core/objects/json.ts";
import { Problems, refusedFor } from "./problems.ts";

/** A document's value, and a list for problems that knows the positions of its parts. */
export interface ReadSource {
  readonly value: unknown;
  readonly problems: Problems;
}

/** Definitions are written by hand: a larger file is a mistake or an attack. */
export const MAX_DEFINITION_BYTES = 2 ** 20;

/** Reads YAML (and so JSON). Executes nothing, and refuses alias bombs. Throws `usage` with line and column. */
export function readYaml(text: string, file?: string): ReadSource {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const positionAt = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const problems = new Problems(file, (path) => positionAt(offsetOf(document.contents, path) ?? 0));
  for (const { message, pos } of document.errors) {
    // The parser reports an overflow of its stack as an error in the text.
    const isTooDeep = /call stack|stack overflow/i.test(message);
    problems.add(
      [],
      isTooDeep
        ? "This YAML is nested too deeply."
        : `This is not valid YAML: ${message}.`.replace("..", "."),
      "Check the indentation and quotes on this line and the one above.",
      positionAt(pos[0]),
    );
    if (isTooDeep) break;
  }
  problems.throwIfAny();
  const refuse = (path: Path, why: string): never => {
    problems.add(
      path,
      `This YAML cannot be read: ${why}.`,
      "Write repeated parts out instead of using aliases.",
    );
    throw refusedFor(problems.all);
  };
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    refuse([], (error as Error).message);
  }
  const endless = pathToItself(value);
  if (endless !== undefined) refuse(endless, "this part contains itself, by an alias");
  return { value, problems };
}

/** The path of a part that is one of those around it, and so has no end. */
function pathToItself(value: unknown, path: Path = [], around: readonly unknown[] = []): Path | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (around.includes(value)) return path;
  const keys = Array.isArray(value) ? value.keys() : Object.keys(value);
  for (const key of keys) {
    const found = pathToItself(Reflect.get(value, key), [...path, key], [...around, value]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Where the deepest existing part of the path begins: the key of a map, the item of a list. */
function offsetOf(node: unknown, path: Path): number | undefined {
  const own = isNode(node) ? node.range?.[0] : undefined;
  const [step, ...rest] = path;
  if (step === undefined) return own;
  if (isSeq(node)) return offsetOf(node.items[Number(step)], rest) ?? own;
  if (!isMap(node)) return own;
  const pair = node.items.find((item) => isPair(item) && String(item.key) === String(step));
  if (pair === undefined) return own;
  const key = isNode(pair.key) ? pair.key.range?.[0] : undefined;
  return rest.length === 0 ? (key ?? own) : (offsetOf(pair.value, rest) ?? key ?? own);
}
