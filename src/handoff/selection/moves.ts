import { share, type Size } from "../tokens/meter.ts";
import type { PricedItem } from "./problem.ts";
import { NONE } from "./selection.ts";

/** A step from one form of an item to a fuller one. */
export interface Move {
  readonly index: number;
  readonly form: number;
  readonly gain: number;
  /** The share of the scarcest limit that it takes. */
  readonly cost: number;
  /** What it gains for its cost. */
  readonly efficiency: number;
}

/** What a selection of some size leaves of its limits. */
export interface Room {
  readonly limits: Size;
  /** The largest share of a limit that a step can take and still fit. */
  readonly share: number;
}

/** A complete section has a shorter heading, so a step may be that much larger than what is left. */
const SLACK = 0.02;

export function roomIn(size: Size, limits: Size): Room {
  return { limits, share: Math.max(...size.map((used, at) => 1 - used / limits[at]!)) + SLACK };
}

/**
 * The steps worth taking from the present form of an item, each less efficient than the one before: the upper convex
 * hull of cost and value. A form below the hull is never the best use of room.
 */
export function hullMoves(index: number, candidate: PricedItem, present: number, room: Room): Move[] {
  const steps = stepsFrom(index, candidate, present, room);
  const hull: Move[] = [];
  // The steps that the hull goes through, measured from the present form.
  const corners: Move[] = [];
  for (const step of steps) {
    let move = step;
    for (;;) {
      const corner = corners.at(-1);
      move = corner === undefined ? step : stepBetween(corner, step);
      if (corner === undefined || move.efficiency < hull.at(-1)!.efficiency) break;
      corners.pop();
      hull.pop();
    }
    corners.push(step);
    hull.push(move);
  }
  return hull;
}

/** Every fuller form that fits the room, hull or not, measured from the present one. */
export function stepsFrom(index: number, candidate: PricedItem, present: number, room: Room): Move[] {
  const now = present === NONE ? undefined : candidate.forms[present]!;
  const spent = now === undefined ? 0 : share(now.size, room.limits);
  const steps: Move[] = [];
  // Forms are listed fullest first; steps go from cheapest to dearest.
  for (let form = candidate.forms.length - 1; form >= 0; form -= 1) {
    const { size, value } = candidate.forms[form]!;
    const gain = value - (now?.value ?? 0);
    const cost = share(size, room.limits) - spent;
    if (gain > 0 && cost <= room.share) steps.push(createMove(index, form, gain, cost));
  }
  return steps;
}

function stepBetween(from: Move, { index, form, gain, cost }: Move): Move {
  return createMove(index, form, gain - from.gain, cost - from.cost);
}

function createMove(index: number, form: number, gain: number, cost: number): Move {
  const positive = Math.max(cost, 1e-9);
  return { index, form, gain, cost: positive, efficiency: gain / positive };
}
