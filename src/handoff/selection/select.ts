import { fits, share, type Size } from "../tokens/meter.ts";
import { hullMoves, roomIn, stepsFrom, type Move } from "./moves.ts";
import type { PricedSection, SelectionProblem } from "./problem.ts";
import { NONE, type Selection } from "./selection.ts";

/** A section is opened for at least this many items, or for one of at least this value. */
const ENOUGH_ITEMS = 3;
const ENOUGH_VALUE = 10;
/** Over how many of its items the heading of a closed section is spread. */
const LOOK_AHEAD = 12;

/**
 * Chooses what to say beside the essentials, which are already in. For the smallest budget that holds these and for
 * each doubling up to the real one: pledged items, the best moves for their size, and whatever still fits. Doublings
 * make briefings nested: what is in at a budget is in at twice that budget.
 */
export function select(problem: SelectionProblem, selection: Selection): void {
  if (problem.candidates.length === 0) return;
  const budgets = [problem.limits];
  while (fits(selection.size, half(budgets[0]!))) budgets.unshift(half(budgets[0]!));
  for (const limits of budgets) {
    takePledged(problem, selection, limits);
    takeBest(problem, selection, limits);
    fill(problem, selection, limits);
  }
}

/** Puts every essential item in, whole. Returns the ids of those that do not fit, the most important first. */
export function takeEssentials(
  problem: SelectionProblem,
  selection: Selection,
  limits: Size = problem.limits,
): string[] {
  return essentialIndexes(problem)
    .filter((index) => !selection.tryPut(index, 0, limits))
    .map((index) => problem.candidates[index]!.item.id);
}

/** The essential candidates, the most important first. */
export function essentialIndexes(problem: SelectionProblem): number[] {
  return [...problem.candidates.keys()]
    .filter((index) => problem.candidates[index]!.item.tier === 0)
    .toSorted((a, b) => problem.candidates[b]!.item.value - problem.candidates[a]!.item.value || a - b);
}

function half(limits: Size): Size {
  return limits.map((limit) => limit / 2);
}

/**
 * Puts in what every briefing should hold, short if need be. It still fits at a larger budget: its shortest forms are
 * smaller than what a doubling adds.
 */
export function takePledged(problem: SelectionProblem, selection: Selection, limits: Size): void {
  for (const [index, { item, forms }] of problem.candidates.entries()) {
    if (!item.isPledged || selection.formOf(index) !== NONE) continue;
    const telling = forms.findLastIndex((form) => form.worth > 0.5);
    if (!selection.tryPut(index, telling, limits)) selection.tryPut(index, forms.length - 1, limits);
  }
}

/** A section with its moves, the best last, and what the next of them gains for its size. */
interface Queue {
  readonly section: PricedSection;
  readonly moves: Move[];
  next: number;
}

/**
 * A multiple-choice knapsack by greedy steps along each item's hull: always the move that gains most for its
 * size. A section that is still closed is judged with its heading spread over the moves that would follow.
 */
function takeBest(problem: SelectionProblem, selection: Selection, limits: Size): void {
  const queues = createQueues(problem, selection, limits);
  const skipped = new Set<number>();
  for (;;) {
    const queue = queues.reduce((best, each) => (each.next > best.next ? each : best));
    const move = queue.moves.pop();
    if (move === undefined) return;
    // If a step did not fit, the fuller forms after it will not fit either.
    if (!skipped.has(move.index) && !take(move, queue.moves, problem, selection, limits))
      skipped.add(move.index);
    queue.next = nextOf(queue, selection, limits);
  }
}

function createQueues(problem: SelectionProblem, selection: Selection, limits: Size): Queue[] {
  const queues = problem.sections.map((section): Queue => ({ section, moves: [], next: 0 }));
  const room = roomIn(selection.size, limits);
  for (const [index, candidate] of problem.candidates.entries()) {
    const { moves } = queues[candidate.section.at]!;
    for (const move of hullMoves(index, candidate, selection.formOf(index), room)) moves.push(move);
  }
  for (const queue of queues) {
    // At equal efficiency, what comes first in the text goes first.
    queue.moves.sort((a, b) => a.efficiency - b.efficiency || b.index - a.index);
    queue.next = nextOf(queue, selection, limits);
  }
  return queues;
}

/** What the next move of a section gains for its size; negative if there is none left. */
function nextOf({ section, moves }: Queue, selection: Selection, limits: Size): number {
  const next = moves.at(-1);
  if (next === undefined) return -1;
  if (selection.isOpen(section)) return next.efficiency;
  let gain = 0;
  let cost = share(section.headingSize, limits);
  let best = 0;
  for (let at = moves.length - 1; at >= 0 && at >= moves.length - LOOK_AHEAD; at -= 1) {
    gain += moves[at]!.gain;
    cost += moves[at]!.cost;
    best = Math.max(best, gain / cost);
  }
  return best;
}

function take(
  { index, form, gain, cost }: Move,
  rest: readonly Move[],
  problem: SelectionProblem,
  selection: Selection,
  limits: Size,
): boolean {
  const { section } = problem.candidates[index]!;
  if (!selection.isOpen(section) && gain < ENOUGH_VALUE) {
    const company = rest.slice(1 - ENOUGH_ITEMS).reduce((sum, move) => sum + move.cost, 0);
    const whole = share(selection.size, limits) + share(section.headingSize, limits) + cost + company;
    if (whole > 1) return false;
  }
  return selection.tryPut(index, form, limits);
}

/** Uses what is left over for anything that fits, hull or not, the most efficient first. */
function fill(problem: SelectionProblem, selection: Selection, limits: Size): void {
  const room = roomIn(selection.size, limits);
  const steps = problem.candidates.flatMap((candidate, index) =>
    stepsFrom(index, candidate, selection.formOf(index), room),
  );
  for (const { index, form, gain } of steps.toSorted(
    (a, b) => b.efficiency - a.efficiency || a.index - b.index,
  )) {
    const { forms, section } = problem.candidates[index]!;
    const present = selection.formOf(index);
    const isFuller = present === NONE || forms[form]!.value > forms[present]!.value;
    if (isFuller && (selection.isOpen(section) || gain >= ENOUGH_VALUE))
      selection.tryPut(index, form, limits);
  }
}
