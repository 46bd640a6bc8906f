import { diff } from "node:util";
import { commonInOrder } from "../../../core/objects/increasing.ts";

/** Lines of a change: how many there are before it on each side, and each with its sign. */
export interface DiffHunk {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly { readonly sign: " " | "+" | "-"; readonly text: string }[];
}

const CONTEXT = 3;
/** Of more lines the shortest diff takes too long: then lines that occur on both sides in the same order are paired. */
const MOST_EXACT = 3000;

type SignedLine = DiffHunk["lines"][number];

/** What differs between two texts, in groups with the lines around them. A line includes its line feed, if it has one. */
export function lineDiff(before: string, after: string): DiffHunk[] {
  return hunksOf(signedLines(linesOf(before), linesOf(after)));
}

const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

function signedLines(from: readonly string[], to: readonly string[]): SignedLine[] {
  let start = 0;
  while (start < from.length && start < to.length && from[start] === to[start]) start++;
  let end = 0;
  const most = Math.min(from.length, to.length) - start;
  while (end < most && from[from.length - 1 - end] === to[to.length - 1 - end]) end++;
  const same = (lines: readonly string[]) => lines.map((text): SignedLine => ({ sign: " ", text }));
  const middle = changed(from.slice(start, from.length - end), to.slice(start, to.length - end));
  return [...same(from.slice(0, start)), ...middle, ...same(from.slice(from.length - end))];
}

function changed(from: readonly string[], to: readonly string[]): SignedLine[] {
  // Node's own diff takes no empty list.
  const isExact = from.length > 0 && to.length > 0 && from.length + to.length <= MOST_EXACT;
  if (!isExact) return paired(from, to);
  const signs = { "-1": "-", "0": " ", "1": "+" } as const;
  const found = diff(to, from).map(([sign, text]): SignedLine => ({ sign: signs[`${sign}`], text }));
  return removedFirst(found);
}

/** Of neighbours that take each other's place, what was there comes first. */
function removedFirst(lines: readonly SignedLine[]): SignedLine[] {
  const ordered: SignedLine[] = [];
  let added: SignedLine[] = [];
  for (const line of lines) {
    if (line.sign === "+") added.push(line);
    else {
      if (line.sign === " ") ordered.push(...added.splice(0));
      ordered.push(line);
    }
  }
  return [...ordered, ...added];
}

function paired(from: readonly string[], to: readonly string[]): SignedLine[] {
  const lines: SignedLine[] = [];
  let [left, right] = [0, 0];
  for (const pair of [...commonInOrder(from, to), { from: from.length, to: to.length }]) {
    for (; left < pair.from; left++) lines.push({ sign: "-", text: from[left] as string });
    for (; right < pair.to; right++) lines.push({ sign: "+", text: to[right] as string });
    if (left < from.length && right < to.length) lines.push({ sign: " ", text: from[left] as string });
    [left, right] = [left + 1, right + 1];
  }
  return lines;
}

function hunksOf(lines: readonly SignedLine[]): DiffHunk[] {
  const hunks: DiffHunk[] = [];
  let [from, to] = [0, 0];
  let open: { from: number; to: number; lines: SignedLine[] } | undefined;
  let quiet = 0;
  for (const [at, line] of lines.entries()) {
    if (line.sign !== " ") {
      if (open === undefined) {
        const before = lines.slice(Math.max(0, at - CONTEXT), at);
        open = { from: from - before.length, to: to - before.length, lines: [...before] };
      }
      open.lines.push(line);
      quiet = 0;
    } else if (open) {
      open.lines.push(line);
      quiet++;
      if (quiet > 2 * CONTEXT) {
        open.lines.splice(open.lines.length - (quiet - CONTEXT));
        hunks.push(open);
        open = undefined;
      }
    }
    if (line.sign !== "+") from++;
    if (line.sign !== "-") to++;
  }
  if (open === undefined) return hunks;
  if (quiet > CONTEXT) open.lines.splice(open.lines.length - (quiet - CONTEXT));
  return [...hunks, open];
}
