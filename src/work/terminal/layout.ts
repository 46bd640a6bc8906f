import { visible } from "../../core/text/visible.ts";
import { padEnd, widthOf, wrap } from "./columns.ts";
import type { Output } from "./output.ts";

const LABEL_WIDTH = 11;

/** A label with what belongs to it: lines that were made safe to print. */
export interface Block {
  readonly label: string;
  readonly lines: readonly string[];
}

/** A label with one line, already safe to print; empty without one. */
export function labelled(label: string, line: string | undefined): Block {
  return { label, lines: line === undefined || line === "" ? [] : [line] };
}

/** Recorded text as lines that are safe to print. */
export function recorded(text: string): string[] {
  return visible(text).split("\n");
}

/** Labels on the left, their lines beside them, broken where the terminal ends. Empty blocks are left out. */
export function layOut(
  blocks: readonly Block[],
  { style, columns }: Pick<Output, "style" | "columns">,
): string {
  const indent = " ".repeat(LABEL_WIDTH);
  const room = columns === undefined ? Number.POSITIVE_INFINITY : Math.max(columns - LABEL_WIDTH, 20);
  return blocks
    .filter(({ lines }) => lines.length > 0)
    .map(({ label, lines }) => {
      const broken = lines.map((line) => wrap(line, room, hanging(line)).replaceAll("\n", `\n${indent}`));
      return padEnd(style.bold(label), LABEL_WIDTH) + broken.join(`\n${indent}`);
    })
    .join("\n");
}

/** Lines broken where the terminal ends; what is continued stands under the text of its item. */
export function brokenLines(lines: readonly string[], columns: number | undefined): string {
  return lines.map((line) => wrap(line, columns ?? Number.POSITIVE_INFINITY, hanging(line))).join("\n");
}

/** Continued lines of a list item stand under its text, not under its sign. */
function hanging(line: string): string {
  const sign = /^(?:\[.\] +\S+ +|\d+ {2})/.exec(line)?.[0] ?? "";
  return " ".repeat(widthOf(sign));
}
