import { bullet } from "../items/forms.ts";
import { fits, share, type Meter } from "../tokens/meter.ts";
import type { Candidate, Problem } from "./problem.ts";
import { essentialIndexes, takeEssentials } from "./select.ts";
import { Selection } from "./selection.ts";
import { clip, oneLine } from "../../text/visible.ts";

const LONGEST = 4000;
const SHORTEST = 24;
const STEP = 0.85;

/**
 * The essentials in less room than they need: each is cut to the same length, the greatest at which all of them
 * fit, so that long ones pay and short ones stay whole. When even stubs of all are too much, the most important
 * come first and the rest is counted. Nothing when not even the frame fits.
 */
export function shrinkEssentials(problem: Problem, meter: Meter): Shrunk | undefined {
  const stubs = withCut(problem, SHORTEST, meter);
  // First the shortest: where not even that fits, a hundred thousand rules need not be cut at every other length.
  if (allOf(stubs) === undefined) return mostImportantOf(stubs);
  for (let length = LONGEST; length > SHORTEST; length *= STEP) {
    const found = allOf(withCut(problem, Math.round(length), meter));
    if (found !== undefined) return found;
  }
  return allOf(stubs);
}

interface Shrunk {
  readonly problem: Problem;
  readonly selection: Selection;
}

function allOf(problem: Problem): Shrunk | undefined {
  const selection = new Selection(problem);
  const isWhole = takeEssentials(problem, selection).length === 0 && fits(selection.size, problem.limits);
  return isWhole ? { problem, selection } : undefined;
}

function mostImportantOf(problem: Problem): Shrunk | undefined {
  const selection = new Selection(problem);
  for (const index of essentialIndexes(problem)) {
    if (!selection.tryPut(index, 0, problem.limits)) break;
  }
  return fits(selection.size, problem.limits) ? { problem, selection } : undefined;
}

function withCut(problem: Problem, length: number, meter: Meter): Problem {
  return { ...problem, candidates: problem.candidates.map((candidate) => cutTo(candidate, length, meter)) };
}

function cutTo(candidate: Candidate, length: number, meter: Meter): Candidate {
  const [full] = candidate.forms;
  if (candidate.item.tier !== 0 || full === undefined || candidate.item.words.length <= length)
    return candidate;
  const text = bullet(oneLine(clip(candidate.item.words, length))).replace(/^- /, `- ${candidate.label}`);
  const size = meter.measure(text);
  return { ...candidate, forms: [{ ...full, name: "short", text, size, share: share(size, meter.limits) }] };
}
