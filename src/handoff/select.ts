import { fits, share, type Size } from "./meter.ts";
import { efficiency, hullMoves, stepsFrom, type Move } from "./moves.ts";
import type { PricedSection, Problem } from "./problem.ts";
import { NONE, Selection } from "./selection.ts";

/**
 * Chooses what to say. Essentials are in already or this is not called. Then, for the smallest budget that
 * holds them and for each doubling up to the real one: the situation, the best moves per token, and whatever
 * still fits. Going by doublings makes briefings nested: what is in at a budget is in at twice that budget.
 */
export function select(problem: Problem, selection: Selection): void {
  const budgets = [problem.limits];
  while (fits(selection.size, half(budgets[0]!))) budgets.unshift(half(budgets[0]!));
  for (const limits of budgets) {
    takeSituation(problem, selection, limits);
    takeBest(problem, selection, limits);
    fill(problem, selection, limits);
  }
}

/** Puts every essential item in, whole. The ids of those that do not fit, in order of importance. */
export function takeEssentials(problem: Problem, selection: Selection): string[] {
  const missing: string[] = [];
  for (const index of essentialIndexes(problem)) {
    if (!selection.tryPut(index, 0, problem.limits)) missing.push(problem.candidates[index]!.item.id);
  }
  return missing;
}

/** The essential candidates, the most important first. */
export function essentialIndexes(problem: Problem): number[] {
  return [...problem.candidates.keys()]
    .filter((index) => problem.candidates[index]!.item.tier === 0)
    .toSorted((a, b) => problem.candidates[b]!.item.value - problem.candidates[a]!.item.value || a - b);
}

function half(limits: Size): Size {
  return limits.map((limit) => limit / 2);
}

/** Phase, active task, agent and what is available: in whenever they fit, in short if need be. */
function takeSituation(problem: Problem, selection: Selection, limits: Size): void {
  for (const [index, { item, forms }] of problem.candidates.entries()) {
    if (item.section !== "situation" || selection.formOf(index) !== NONE) continue;
    const telling = forms.findLastIndex((form) => form.worth > 0.5);
    if (!selection.tryPut(index, telling, limits)) selection.tryPut(index, forms.length - 1, limits);
  }
}

/**
 * A multiple-choice knapsack by greedy steps along each item's hull: always the move that gains most for its
 * size. A section that is still closed is judged with its heading spread over the moves that would follow.
 */
function takeBest(problem: Problem, selection: Selection, limits: Size): void {
  const queues = new Map<PricedSection, Move[]>(problem.sections.map((section) => [section, []]));
  for (const [index, candidate] of problem.candidates.entries()) {
    queues.get(candidate.section)!.push(...hullMoves(index, candidate, selection.formOf(index), limits));
  }
  // Popped from the end. Equal efficiency: what stands first in the text goes first.
  for (const moves of queues.values()) moves.sort((a, b) => efficiency(a) - efficiency(b) || b.index - a.index);
  const skipped = new Set<number>();
  const heads = new Map([...queues].map(([section, moves]) => [section, headOf(section, moves, selection, limits)]));
  for (;;) {
    const [section] = [...heads].reduce((best, each) => (each[1] > best[1] ? each : best));
    const move = queues.get(section)!.pop();
    if (move === undefined) return;
    // Once a step did not fit, the fuller forms behind it will not fit either.
    if (!skipped.has(move.index) && !selection.tryPut(move.index, move.form, limits)) skipped.add(move.index);
    heads.set(section, headOf(section, queues.get(section)!, selection, limits));
  }
}

/** How much the next move of a section gains for its size; nothing when it has none left. */
function headOf(section: PricedSection, moves: readonly Move[], selection: Selection, limits: Size): number {
  const next = moves.at(-1);
  if (next === undefined) return -1;
  if (selection.isOpen(section)) return efficiency(next);
  let gain = 0;
  let cost = share(section.headingSize, limits);
  let best = 0;
  for (const move of moves.slice(-12).toReversed()) {
    gain += move.gain;
    cost += move.cost;
    best = Math.max(best, gain / cost);
  }
  return best;
}

/** Uses what is left over for anything that fits, the most efficient first. */
function fill(problem: Problem, selection: Selection, limits: Size): void {
  const steps = problem.candidates.flatMap((candidate, index) =>
    stepsFrom(index, candidate, selection.formOf(index), limits),
  );
  for (const step of steps.toSorted((a, b) => efficiency(b) - efficiency(a) || a.index - b.index)) {
    const { forms } = problem.candidates[step.index]!;
    const present = selection.formOf(step.index);
    const gains = present === NONE || forms[step.form]!.value > forms[present]!.value;
    if (gains) selection.tryPut(step.index, step.form, limits);
  }
}
