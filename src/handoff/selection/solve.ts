import { bareTexts, type BriefingFrame } from "../frame/frame.ts";
import { fits, type Budget, type Meter } from "../tokens/meter.ts";
import type { SelectionProblem } from "./problem.ts";
import { render } from "./render.ts";
import { select, takeEssentials } from "./select.ts";
import { Selection } from "./selection.ts";
import { shrinkEssentials } from "./shrink.ts";
import { tooSmall } from "./too-small.ts";

/** A text, and the selection that it shows. */
export interface Solved {
  readonly text: string;
  readonly problem: SelectionProblem;
  readonly selection: Selection;
}

export interface SolveOptions {
  readonly meter: Meter;
  readonly budget: Budget;
  readonly frame: BriefingFrame;
  readonly key: Uint8Array;
  /** Shorten essentials that do not fit, instead of failing. */
  readonly shrink: boolean;
}

/** Selects and renders: everything essential and the best of the rest; or essentials cut short; or commands alone. */
export function solve(
  problem: SelectionProblem,
  { meter, budget, frame, key, shrink }: SolveOptions,
): Solved {
  const selection = new Selection(problem);
  const missing = takeEssentials(problem, selection);
  if (missing.length === 0 && fits(selection.size, problem.limits)) {
    select(problem, selection);
    return { text: render(problem, selection, frame, key), problem, selection };
  }
  const shrunk = shrink ? shrinkEssentials(problem, meter) : undefined;
  if (shrunk !== undefined) return { text: render(shrunk.problem, shrunk.selection, frame, key), ...shrunk };
  const bare = shrink ? bareTexts(frame).find((text) => fits(meter.measure(text), meter.limits)) : undefined;
  if (bare !== undefined) return { text: bare, problem, selection: new Selection(problem) };
  throw tooSmall(problem, missing, budget, meter);
}
