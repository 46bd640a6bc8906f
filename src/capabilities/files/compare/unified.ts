import { oneLine, visible } from "../../../core/text/visible.ts";
import type { DiffHunk } from "./line-diff.ts";

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
  const from = what === "added" ? "/dev/null" : `a/${name}`;
  const to = what === "deleted" ? "/dev/null" : `b/${name}`;
  const paints = { "+": style.green, "-": style.red, " ": plain };
  const lines = hunks.flatMap((hunk) => [
    style.cyan(`@@ -${range(hunk, "-")} +${range(hunk, "+")} @@`),
    ...hunk.lines.flatMap(({ sign, text }) => [
      paints[sign](`${sign}${visible(text.replace(/\n$/, ""))}`),
      ...(text.endsWith("\n") ? [] : ["\\ No newline at end of file"]),
    ]),
  ]);
  const head = [style.bold(`--- ${from}`), style.bold(`+++ ${to}`)];
  return [...head, ...(note === null ? [] : [note]), ...lines].join("\n");
}

/** Where a hunk begins on one side, and how many lines it has there. */
function range({ from, to, lines }: DiffHunk, side: "-" | "+"): string {
  const own = lines.filter(({ sign }) => sign === " " || sign === side).length;
  const start = side === "-" ? from : to;
  return `${own === 0 ? start : start + 1},${own}`;
}
