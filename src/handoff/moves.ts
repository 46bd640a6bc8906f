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

/** How much is left within which limits. */
export interface Room {
  readonly limits: Size;
  /** The largest share of a limit that a step can take and still fit. */
  readonly room: number;
}

/** A heading becomes shorter when its section is complete: a step may be that much larger than what is left. */
const SLACK = 0.02;

export function roomIn(size: Size, limits: Size): Room {
  return { limits, room: Math.max(...size.map((used, at) => 1 - used / limits[at]!)) + SLACK };
}

/**
 * The steps worth taking from the present form of a candidate, each less efficient than the one before: the
 * upper convex hull of cost and value. A form below the hull is never the best use of room.
 */
export function hullMoves(index: number, candidate: Candidate, present: number, room: Room): Move[] {
  const hull: Move[] = [];
  for (const step of stepsFrom(index, candidate, present, room)) {
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

/** Every fuller form, hull or not, measured from the present one, if it is not larger than the room there is. */
export function stepsFrom(
  index: number,
  candidate: Candidate,
  present: number,
  { limits, room }: Room,
): Move[] {
  const now = present === NONE ? undefined : candidate.forms[present]!;
  const spent = now === undefined ? 0 : share(now.size, limits);
  const steps: Move[] = [];
  // Forms stand fullest first; steps go from the cheapest to the dearest.
  for (let form = candidate.forms.length - 1; form >= 0; form -= 1) {
    const { size, value } = candidate.forms[form]!;
    const gain = value - (now?.value ?? 0);
    const cost = share(size, limits) - spent;
    if (gain > 0 && cost <= room) steps.push(createMove(index, form, gain, cost));
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
