import { widthOf } from "../../../work/terminal/columns.ts";

const HIDE_CURSOR = "\u{1b}[?25l";
const SHOW_CURSOR = "\u{1b}[?25h";
/** Terminals that know it show what comes in between all at once. */
const BEGIN = "\u{1b}[?2026h";
const END = "\u{1b}[?2026l";
const TO_LINE_END = "\u{1b}[K";
const TO_SCREEN_END = "\u{1b}[J";

/**
 * Lines at the bottom of a terminal that are drawn over themselves. Nothing is erased before its successor is
 * there, and everything comes in one write, so nothing flickers.
 */
export class Drawing {
  readonly #write: (text: string) => void;
  #lines: readonly string[] = [];
  #isShown = false;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** Draws the lines; `above` is printed once, above them, and stays. */
  show(lines: readonly string[], columns: number, above?: string): void {
    const isSame = lines.length === this.#lines.length && lines.every((line, at) => line === this.#lines[at]);
    if (isSame && above === undefined) return;
    const all = [...(above === undefined ? [] : above.split("\n")), ...lines];
    const text = all.map((line) => `${line}${TO_LINE_END}\n`).join("");
    this.#write(
      `${BEGIN}${this.#isShown ? "" : HIDE_CURSOR}${this.#up(columns)}${text}${TO_SCREEN_END}${END}`,
    );
    this.#lines = lines;
    this.#isShown = true;
  }

  /** Takes the lines away; what stood above them stays. */
  clear(): void {
    if (!this.#isShown) return;
    this.#write(`${this.#up(undefined)}${TO_SCREEN_END}${SHOW_CURSOR}`);
    this.#lines = [];
    this.#isShown = false;
  }

  /** Back to the first line. In a terminal that has become narrower, long lines take several of its rows. */
  #up(columns: number | undefined): string {
    const rows = this.#lines.map((line) => Math.max(1, Math.ceil(widthOf(line) / (columns ?? Infinity))));
    const height = rows.reduce((sum, each) => sum + each, 0);
    return height === 0 ? "\r" : `\u{1b}[${height}A\r`;
  }
}
