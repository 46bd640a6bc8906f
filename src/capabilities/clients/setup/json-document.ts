import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
  visit,
} from "jsonc-parser";
import { CheckpointError } from "../../../core/errors.ts";

/** A part of a JSON text, with its place in it. */
export type JsonNode = Node;

/** Names of members and indexes of items, from the root. */
export type JsonPath = readonly (string | number)[];

/** Reads JSON with comments and trailing commas, which several clients allow. */
export function readJson(text: string): JsonNode {
  const errors: ParseError[] = [];
  const root = parse(text, errors);
  const [error] = errors;
  if (error !== undefined) throw misfit(inWords(printParseErrorCode(error.error)), error.offset);
  if (root === undefined) throw misfit("Value expected.", 0);
  refuseDuplicates(root);
  return root;
}

export function nodeAt(root: JsonNode, path: JsonPath): JsonNode | undefined {
  return findNodeAtLocation(root, [...path]);
}

/** As `JSON.parse` makes it: the parser's own objects have no prototype, and so are equal to no others. */
export function valueOf(node: JsonNode): unknown {
  return structuredClone(getNodeValue(node) as unknown);
}

export function commentsIn(text: string): string[] {
  const comments: string[] = [];
  visit(text, {
    onComment: (offset, length) => comments.push(text.slice(offset, offset + length).trimEnd()),
  });
  return comments;
}

/** The text is not the expected JSON. `planJson` adds path and line. */
export function misfit(problem: string, position: number): CheckpointError {
  return new CheckpointError("refused", problem, { details: { position } });
}

function parse(text: string, errors: ParseError[]): JsonNode | undefined {
  try {
    // A space in place of a byte order mark, which the parser does not know, keeps every position.
    return parseTree(text.replace(/^\u{FEFF}/u, " "), errors, { allowTrailingComma: true });
  } catch (error) {
    if (error instanceof RangeError) throw misfit("This is nested too deeply.", 0);
    throw error;
  }
}

/** Parsers differ on which of two members with the same name counts. */
function refuseDuplicates(node: JsonNode): void {
  const names = new Set<unknown>();
  for (const child of node.children ?? []) {
    const [key, value] = node.type === "object" ? (child.children ?? []) : [undefined, child];
    if (key !== undefined && names.has(key.value)) throw misfit(`"${key.value}" appears twice.`, key.offset);
    names.add(key?.value);
    if (value !== undefined) refuseDuplicates(value);
  }
}

/** `CommaExpected` becomes "Comma expected." */
function inWords(code: string): string {
  const words = code.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words}.`;
}
