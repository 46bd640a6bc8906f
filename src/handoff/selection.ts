import { fits, minus, plus, type Size } from "./meter.ts";
import type { Candidate, PricedSection, Problem } from "./problem.ts";

/** Nothing of the candidate is shown. */
export const NONE = -1;

/** Which form of which candidate is in, and what all of it costs together, headings and notes included. */
export class Selection {
  readonly #problem: Problem;
  readonly #forms: Int8Array;
  readonly #parts: Map<PricedSection, { chosen: number; shown: number }>;
  #size: Size;

  constructor(problem: Problem) {
    this.#problem = problem;
    this.#forms = new Int8Array(problem.candidates.length).fill(NONE);
    this.#parts = new Map(problem.sections.map((section) => [section, { chosen: 0, shown: 0 }]));
    this.#size = problem.sections.map((each) => sizeOf(each, 0, 0)).reduce(plus, problem.frameSize);
  }

  get size(): Size {
    return this.#size;
  }

  formOf(index: number): number {
    return this.#forms[index]!;
  }

  isOpen(section: PricedSection): boolean {
    return this.#parts.get(section)!.chosen > 0;
  }

  shownOf(section: PricedSection): number {
    return this.#parts.get(section)!.shown;
  }

  /** What the whole would cost with this candidate in this form. */
  sizeWith(index: number, form: number): Size {
    const { section, forms } = this.#problem.candidates[index]!;
    const part = this.#parts.get(section)!;
    const after = this.#partWith(index, form);
    const [left, right] = [this.#forms[index]!, form];
    let size = plus(this.#size, minus(sizeOf(section, after.chosen, after.shown), sizeOf(section, part.chosen, part.shown)));
    if (right !== NONE) size = plus(size, forms[right]!.size);
    return left === NONE ? size : minus(size, forms[left]!.size);
  }

  /** Puts the candidate in, in this form, whatever it costs. */
  put(index: number, form: number): void {
    this.#size = this.sizeWith(index, form);
    this.#parts.set(this.#problem.candidates[index]!.section, this.#partWith(index, form));
    this.#forms[index] = form;
  }

  /** Puts the candidate in if that stays within the limits. */
  tryPut(index: number, form: number, limits: Size): boolean {
    if (!fits(this.sizeWith(index, form), limits)) return false;
    this.put(index, form);
    return true;
  }

  #partWith(index: number, form: number): { chosen: number; shown: number } {
    const candidate = this.#problem.candidates[index]!;
    const { chosen, shown } = this.#parts.get(candidate.section)!;
    const before = this.#forms[index]!;
    return {
      chosen: chosen + Number(form !== NONE) - Number(before !== NONE),
      shown: shown + showsOf(candidate, form) - showsOf(candidate, before),
    };
  }
}

function showsOf(candidate: Candidate, form: number): number {
  return form === NONE ? 0 : candidate.forms[form]!.shows;
}

/** What a section costs beside its items: its heading when it is open, else the note that it is missing. */
function sizeOf(section: PricedSection, chosen: number, shown: number): Size {
  if (chosen === 0) return section.leftOutSize;
  return shown < section.total ? section.cutHeadingSize : section.headingSize;
}
