import { plus, type Size } from "../tokens/meter.ts";
import type { PricedSection, Problem } from "./problem.ts";

/** Nothing of the candidate is shown. */
export const NONE = -1;

/** Which form of which candidate is in, and what all of it costs together, headings and notes included. */
export class Selection {
  readonly #problem: Problem;
  readonly #forms: Int8Array;
  /** For each section: how many candidates are in, and how many things they show. */
  readonly #chosen: Int32Array;
  readonly #shown: Int32Array;
  #open = 0;
  readonly #size: number[];
  /** What the move under consideration changes; here, so that thousands of moves make no garbage. */
  readonly #change: number[];

  constructor(problem: Problem) {
    this.#problem = problem;
    this.#forms = new Int8Array(problem.candidates.length).fill(NONE);
    this.#chosen = new Int32Array(problem.sections.length);
    this.#shown = new Int32Array(problem.sections.length);
    this.#size = [...plus(problem.frameSize, problem.noteSize(0))];
    this.#change = this.#size.map(() => 0);
  }

  get size(): Size {
    return this.#size;
  }

  /** The open sections, one bit for each. */
  get open(): number {
    return this.#open;
  }

  formOf(index: number): number {
    return this.#forms[index]!;
  }

  isOpen(section: PricedSection): boolean {
    return this.#chosen[section.at]! > 0;
  }

  shownOf(section: PricedSection): number {
    return this.#shown[section.at]!;
  }

  /** Puts the candidate in, in this form, if the whole stays within the limits. */
  tryPut(index: number, form: number, limits: Size): boolean {
    const { section, forms } = this.#problem.candidates[index]!;
    const after = forms[form]!;
    const before = this.#forms[index] === NONE ? undefined : forms[this.#forms[index]!];
    const shown = this.#shown[section.at]! + after.shows - (before?.shows ?? 0);
    const change = this.#change;
    for (let at = 0; at < change.length; at += 1) change[at] = after.size[at]! - (before?.size[at] ?? 0);
    this.#addHeadings(section, shown, change);
    // By hand rather than with plus and fits: this is the innermost loop.
    for (let at = 0; at < change.length; at += 1) {
      if (this.#size[at]! + change[at]! > limits[at]!) return false;
    }
    for (let at = 0; at < change.length; at += 1) this.#size[at]! += change[at]!;
    this.#forms[index] = form;
    this.#chosen[section.at]! += before === undefined ? 1 : 0;
    this.#shown[section.at] = shown;
    this.#open |= 1 << section.at;
    return true;
  }

  /** What changes beside the item itself: its section's heading, and the note on sections that are closed. */
  #addHeadings(section: PricedSection, shown: number, change: number[]): void {
    const isOpen = this.isOpen(section);
    const heading = isOpen ? headingSize(section, this.#shown[section.at]!) : undefined;
    const newHeading = headingSize(section, shown);
    const note = isOpen ? undefined : this.#problem.noteSize(this.#open);
    const newNote = isOpen ? undefined : this.#problem.noteSize(this.#open | (1 << section.at));
    for (let at = 0; at < change.length; at += 1) {
      change[at]! += newHeading[at]! - (heading?.[at] ?? 0) + (newNote?.[at] ?? 0) - (note?.[at] ?? 0);
    }
  }
}

function headingSize(section: PricedSection, shown: number): Size {
  return shown < section.total ? section.cutHeadingSize : section.headingSize;
}
