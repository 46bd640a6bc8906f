import { share, type Size } from "./meter.ts";
import type { Candidate } from "./problem.ts";
import { NONE } from "./selection.ts";

/** A step from one form of a candidate to a fuller one. */
export interface Move {
  readonly index: number;
  readonly form: number;
  readonly gain: number;
  /** The share of the scarcest limit that it takes. */
  readonly cost: number;
  /** What it gains for its cost. */
  readonly efficiency: number;
}

/**
 * The steps worth taking from the present form of a candidate, each less efficient than the one before: the
 * upper convex hull of cost and value. A form below the hull is never the best use of room.
 */
export function hullMoves(index: number, candidate: Candidate, present: number, limits: Size): Move[] {
  const hull: Move[] = [];
  for (const step of stepsFrom(index, candidate, present, limits)) {
    let move = step;
    while (hull.length > 0) {
      move = stepBetween(hull, step);
      if (move.efficiency < hull.at(-1)!.efficiency) break;
      hull.pop();
      move = step;
    }
    hull.push(hull.length === 0 ? step : move);
  }
  return hull;
}

/** Every fuller form, hull or not, measured from the present one: for filling what is left. */
export function stepsFrom(index: number, candidate: Candidate, present: number, limits: Size): Move[] {
  const now = present === NONE ? undefined : candidate.forms[present]!;
  const steps: Move[] = [];
  // Forms stand fullest first; steps go from the cheapest to the dearest.
  for (let form = candidate.forms.length - 1; form >= 0; form -= 1) {
    const { size, value } = candidate.forms[form]!;
    const gain = value - (now?.value ?? 0);
    if (gain > 0)
      steps.push(
        createMove(
          index,
          form,
          gain,
          share(size, limits) - (now === undefined ? 0 : share(now.size, limits)),
        ),
      );
  }
  return steps;
}

/** The step from where the hull stands now to a fuller form. */
function stepBetween(hull: readonly Move[], { index, form, gain, cost }: Move): Move {
  const gained = hull.reduce((sum, move) => sum + move.gain, 0);
  const spent = hull.reduce((sum, move) => sum + move.cost, 0);
  return createMove(index, form, gain - gained, cost - spent);
}

function createMove(index: number, form: number, gain: number, cost: number): Move {
  const positive = Math.max(cost, 1e-9);
  return { index, form, gain, cost: positive, efficiency: gain / positive };
}
