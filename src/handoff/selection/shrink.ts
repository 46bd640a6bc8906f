import { bullet } from "../items/forms.ts";
import { fits, type Meter } from "../tokens/meter.ts";
import type { PricedItem, SelectionProblem } from "./problem.ts";
import { essentialIndexes, takeEssentials } from "./select.ts";
import { Selection } from "./selection.ts";
import { clip, oneLine } from "../../text/visible.ts";

const LONGEST = 4000;
const SHORTEST = 24;
const STEP = 0.85;

/**
 * The essentials in less room than they need: each is cut to the same length, the greatest at which all fit, so long
 * ones pay and short ones stay whole. If even stubs of all are too much, the most important come first and the rest is
 * counted. Undefined if not even the frame fits.
 */
export function shrinkEssentials(problem: SelectionProblem): Shrunk | undefined {
  const stubs = withCut(problem, SHORTEST);
  // The shortest first: if that does not fit, no other length needs to be tried on what may be 100,000 rules.
  if (allOf(stubs) === undefined) return mostImportantOf(stubs);
  for (let length = LONGEST; length > SHORTEST; length *= STEP) {
    const found = allOf(withCut(problem, Math.round(length)));
    if (found !== undefined) return found;
  }
  return allOf(stubs);
}

interface Shrunk {
  readonly problem: SelectionProblem;
  readonly selection: Selection;
}

function allOf(problem: SelectionProblem): Shrunk | undefined {
  const selection = new Selection(problem);
  const isWhole = takeEssentials(problem, selection).length === 0 && fits(selection.size, problem.limits);
  return isWhole ? { problem, selection } : undefined;
}

function mostImportantOf(problem: SelectionProblem): Shrunk | undefined {
  const selection = new Selection(problem);
  for (const index of essentialIndexes(problem)) {
    if (!selection.tryPut(index, 0, problem.limits)) break;
  }
  return fits(selection.size, problem.limits) ? { problem, selection } : undefined;
}

function withCut(problem: SelectionProblem, length: number): SelectionProblem {
  const { candidates, meter } = problem;
  return { ...problem, candidates: candidates.map((candidate) => cutTo(candidate, length, meter)) };
}

function cutTo(candidate: PricedItem, length: number, meter: Meter): PricedItem {
  const [full] = candidate.forms;
  if (candidate.item.tier !== 0 || full === undefined || candidate.item.words.length <= length)
    return candidate;
  const text = bullet(oneLine(clip(candidate.item.words, length))).replace(/^- /, `- ${candidate.label}`);
  const size = meter.measure(text);
  return { ...candidate, forms: [{ ...full, name: "short", text, size }] };
}
