import { fits, minus, plus, type Size } from "../tokens/meter.ts";
import type { PricedSection, SelectionProblem } from "./problem.ts";

/** Nothing of the item is shown. */
export const NONE = -1;

/** Which form of which item is in, and what all of it costs together, headings and notes included. */
export class Selection {
  readonly #problem: SelectionProblem;
  readonly #forms: number[];
  /** For each section: how many things its items show. */
  readonly #shown: number[];
  #open = 0;
  #size: Size;

  constructor(problem: SelectionProblem) {
    this.#problem = problem;
    this.#forms = problem.candidates.map(() => NONE);
    this.#shown = problem.sections.map(() => 0);
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
    return (this.#open & (1 << section.at)) !== 0;
  }

  shownOf(section: PricedSection): number {
    return this.#shown[section.at]!;
  }

  /** Puts the item in, in this form, if the whole stays within the limits. */
  tryPut(index: number, form: number, limits: Size): boolean {
    const { item, section, forms } = this.#problem.candidates[index]!;
    if (item.isHeldBack) return false;
    const [before, after] = [forms[this.formOf(index)], forms[form]!];
    const shown = this.shownOf(section) + after.shows - (before?.shows ?? 0);
    let size = plus(this.#size, after.size);
    if (before !== undefined) size = minus(size, before.size);
    size = plus(size, headingSize(section, shown));
    if (this.isOpen(section)) size = minus(size, headingSize(section, this.shownOf(section)));
    else {
      size = minus(size, this.#problem.noteSize(this.#open));
      size = plus(size, this.#problem.noteSize(this.#open | (1 << section.at)));
    }
    if (!fits(size, limits)) return false;
    this.#size = size;
    this.#forms[index] = form;
    this.#shown[section.at] = shown;
    this.#open |= 1 << section.at;
    return true;
  }
}

function headingSize(section: PricedSection, shown: number): Size {
  return shown < section.total ? section.cutHeadingSize : section.headingSize;
}
