import { minus, share, type Size } from "./meter.ts";
import type { Candidate } from "./problem.ts";
import { NONE } from "./selection.ts";

/** A step from one form of a candidate to a fuller one. */
export interface Move {
  readonly index: number;
  readonly form: number;
  readonly gain: number;
  /** The share of the scarcest limit that it takes. */
  readonly cost: number;
}

/**
 * The steps worth taking from the present form of a candidate, each less efficient than the one before: the
 * upper convex hull of cost and value. A form below the hull is never the best use of room.
 */
export function hullMoves(index: number, candidate: Candidate, present: number, limits: Size): Move[] {
  const hull: Move[] = [];
  for (const step of stepsFrom(index, candidate, present, limits)) {
    while (hull.length > 0 && efficiencyBetween(hull.at(-1)!, step) >= efficiencyBetween(hull.at(-2), hull.at(-1)!)) {
      hull.pop();
    }
    hull.push(step);
  }
  return hull.map((step, at) => {
    const before = hull[at - 1];
    return { ...step, gain: step.gain - (before?.gain ?? 0), cost: positive(step.cost - (before?.cost ?? 0)) };
  });
}

/** Every fuller form, hull or not, measured from the present one: for filling what is left. */
export function stepsFrom(index: number, candidate: Candidate, present: number, limits: Size): Move[] {
  const now = present === NONE ? undefined : candidate.forms[present]!;
  const steps: Move[] = [];
  for (const [form, { size, value }] of candidate.forms.entries()) {
    const gain = value - (now?.value ?? 0);
    const cost = share(now === undefined ? size : minus(size, now.size), limits);
    if (gain > 0) steps.push({ index, form, gain, cost: positive(cost) });
  }
  // Forms stand fullest first; steps go from the cheapest to the dearest.
  return steps.reverse();
}

export function efficiency(move: Move): number {
  return move.gain / move.cost;
}

function efficiencyBetween(from: Move | undefined, to: Move): number {
  return (to.gain - (from?.gain ?? 0)) / positive(to.cost - (from?.cost ?? 0));
}

function positive(cost: number): number {
  return Math.max(cost, 1e-9);
}
