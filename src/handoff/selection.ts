import { plus, type Size } from "./meter.ts";
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
  #size: Size;

  constructor(problem: Problem) {
    this.#problem = problem;
    this.#forms = new Int8Array(problem.candidates.length).fill(NONE);
    this.#chosen = new Int32Array(problem.sections.length);
    this.#shown = new Int32Array(problem.sections.length);
    this.#size = plus(problem.frameSize, problem.noteSize(0));
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
    const size = this.#sizeWith(index, form, limits);
    if (size === undefined) return false;
    const { section, forms } = this.#problem.candidates[index]!;
    const before = this.#forms[index]!;
    this.#size = size;
    this.#forms[index] = form;
    this.#chosen[section.at]! += before === NONE ? 1 : 0;
    this.#shown[section.at]! += forms[form]!.shows - (before === NONE ? 0 : forms[before]!.shows);
    this.#open |= 1 << section.at;
    return true;
  }

  /** What the whole costs with this candidate in this form; undefined when that is over a limit. */
  #sizeWith(index: number, form: number, limits: Size): Size | undefined {
    const { section, forms } = this.#problem.candidates[index]!;
    const before = this.#forms[index] === NONE ? undefined : forms[this.#forms[index]!];
    const after = forms[form]!;
    const shown = this.#shown[section.at]!;
    const heading = this.isOpen(section) ? headingSize(section, shown) : undefined;
    const newHeading = headingSize(section, shown + after.shows - (before?.shows ?? 0));
    const note = this.#problem.noteSize(this.#open);
    const newNote = this.#problem.noteSize(this.#open | (1 << section.at));
    // By hand rather than with plus and minus: this is the innermost loop.
    const size = Array.from(this.#size);
    for (let at = 0; at < size.length; at += 1) {
      size[at]! +=
        after.size[at]! -
        (before?.size[at] ?? 0) +
        newHeading[at]! -
        (heading?.[at] ?? 0) +
        newNote[at]! -
        note[at]!;
      if (size[at]! > limits[at]!) return undefined;
    }
    return size;
  }
}

function headingSize(section: PricedSection, shown: number): Size {
  return shown < section.total ? section.cutHeadingSize : section.headingSize;
}
