import { structuredPatch } from "diff";
import { oneLine, visible } from "../../../core/text/visible.ts";

/** Neighbouring lines that changed, and those around them: each begins with a space, `+` or `-`. */
export interface DiffHunk {
  /** The first line on each side, counted from one, and how many there are. */
  readonly from: number;
  readonly from_lines: number;
  readonly to: number;
  readonly to_lines: number;
  readonly lines: readonly string[];
}

const CONTEXT = 3;
/** Of more lines the shortest diff takes too long: then all lines take the place of all lines. */
const MOST_CHANGED_LINES = 2000;

/** What differs between two texts, in groups with the lines around them. */
export function lineDiff(before: string, after: string): DiffHunk[] {
  const options = { context: CONTEXT, maxEditLength: MOST_CHANGED_LINES };
  const isWhole = before === "" || after === "";
  const patch = isWhole ? undefined : structuredPatch("", "", before, after, "", "", options);
  if (patch === undefined) return before === after ? [] : [replaced(before, after)];
  return patch.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    from: oldStart,
    from_lines: oldLines,
    to: newStart,
    to_lines: newLines,
    lines,
  }));
}

function replaced(before: string, after: string): DiffHunk {
  const signed = (sign: string, text: string) =>
    (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).flatMap((line) =>
      line.endsWith("\n") ? [sign + line.slice(0, -1)] : [sign + line, "\\ No newline at end of file"],
    );
  const [gone, come] = [signed("-", before), signed("+", after)];
  const count = (lines: readonly string[]) => lines.filter((line) => !line.startsWith("\\")).length;
  return { from: 1, from_lines: count(gone), to: 1, to_lines: count(come), lines: [...gone, ...come] };
}

/** One file of a diff. */
export interface ComparedFile {
  readonly path: string;
  readonly what: "added" | "changed" | "deleted" | "unknown";
  /** What there is to say besides, or instead of lines. */
  readonly note: string | null;
  readonly hunks: readonly DiffHunk[];
}

type Paint = (text: string) => string;

const plain: Paint = (text) => text;
const PLAIN = { bold: plain, cyan: plain, green: plain, red: plain };

/** A file of a diff in the usual form. */
export function unified({ path, what, note, hunks }: ComparedFile, style: typeof PLAIN = PLAIN): string {
  const name = oneLine(path);
  const paints: Readonly<Record<string, Paint>> = { "+": style.green, "-": style.red };
  const lines = hunks.flatMap(({ from, from_lines, to, to_lines, lines: own }) => [
    style.cyan(`@@ -${range(from, from_lines)} +${range(to, to_lines)} @@`),
    ...own.map((line) => (paints[line.slice(0, 1)] ?? plain)(visible(line))),
  ]);
  return [
    style.bold(`--- ${what === "added" ? "/dev/null" : `a/${name}`}`),
    style.bold(`+++ ${what === "deleted" ? "/dev/null" : `b/${name}`}`),
    ...(note === null ? [] : [note]),
    ...lines,
  ].join("\n");
}

/** An empty range is behind the line that it names. */
const range = (start: number, count: number) => `${count === 0 ? start - 1 : start},${count}`;
