import { isMap, isNode, isPair, isSeq, LineCounter, parseDocument, type Document } from "yaml";

import type { Path } from "../../objects/json.ts";
import { Problems, type Locate } from "./problems.ts";

/** A document that could be read, and how to find the places of its values. */
export interface ReadSource {
  readonly value: unknown;
  readonly problems: Problems;
}

/** A definition is written by hand: one that is larger is a mistake, or an attack. */
export const MAX_DEFINITION_BYTES = 2 ** 20;

/** Reads YAML (and so JSON). Nothing in it is executed, and an alias bomb is refused. Throws `usage` with line and column. */
export function readYaml(text: string, file?: string): ReadSource {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const problems = new Problems(file, locateIn(document, lines));
  for (const { message, pos } of document.errors) {
    const { line, col } = lines.linePos(pos[0]);
    problems.all.push({
      ...(file === undefined ? {} : { file }),
      line,
      column: col,
      path: "(root)",
      message: `This is not valid YAML: ${message}.`.replace("..", "."),
      remedy: "Check the indentation and quotes on this line and the one above.",
    });
  }
  problems.throwIfAny();
  try {
    return { value: document.toJS({ maxAliasCount: 100 }) as unknown, problems };
  } catch (error) {
    problems.add(
      [],
      `This YAML cannot be read: ${(error as Error).message}.`,
      "Write repeated parts out instead of using aliases.",
    );
    problems.throwIfAny();
    throw error;
  }
}

function locateIn(document: Document, lines: LineCounter): Locate {
  return (path) => {
    const offset = offsetOf(document.contents, path) ?? 0;
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
}

/** Where the deepest part of the path begins that is there: the key of a map, the item of a list. */
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
