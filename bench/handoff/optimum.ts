import { collectItems } from "../../src/handoff/items/collect.ts";
import type { HandoffInput } from "../../src/handoff/handoff.ts";
import { createMeter } from "../../src/handoff/tokens/meter.ts";
import {
  createProblem,
  type PricedItem,
  type SelectionProblem,
} from "../../src/handoff/selection/problem.ts";
import { select, takeEssentials, takePledged } from "../../src/handoff/selection/select.ts";
import { NONE, Selection } from "../../src/handoff/selection/selection.ts";
import type { CountedFamily } from "./counters.ts";

/** Columns of the table for each token. Sizes are rounded down to it, which flatters the optimum, never us. */
const GRID = 4;

/** What our selection is worth beside the exact optimum on the same items; undefined when essentials do not fit. */
export function compareWithOptimum(
  input: HandoffInput,
  maxTokens: number,
  family: CountedFamily,
): { all: number; optional: number; broken: number } | undefined {
  const problem = createProblem(
    collectItems(input.state, input.checkpoint, {}),
    {
      style: "markdown",
      audience: "next-agent",
      hasImports: false,
      loadCommand: "checkpoint load x --json",
      resumeCommand: input.resumeCommand,
    },
    createMeter({ family, maxTokens }),
  );
  const selection = new Selection(problem);
  if (takeEssentials(problem, selection).length > 0) return undefined;
  const given = new Selection(problem);
  takeEssentials(problem, given);
  takePledged(problem, given, problem.limits);
  select(problem, selection);
  const ours = valueOf(problem, selection);
  const base = valueOf(problem, given);
  const note = problem.noteSize(selection.open)[0]!;
  const best = optimum(problem, given, note);
  const broken = problem.candidates.filter(
    (_, index) => given.formOf(index) !== NONE && selection.formOf(index) === NONE,
  );
  return { all: ours / (base + best), optional: best <= 0 ? 1 : (ours - base) / best, broken: broken.length };
}

function valueOf(problem: SelectionProblem, selection: Selection): number {
  return problem.candidates.reduce((sum, { forms }, index) => {
    const form = selection.formOf(index);
    return form === NONE ? sum : sum + forms[form]!.value;
  }, 0);
}

/**
 * The most value that fits beside what is given (essentials and pledges): an exact table over all items, section
 * by section, where a heading is paid once, and is shorter when everything of its section is shown. The note on
 * what is missing is taken as our selection has it.
 */
function optimum(problem: SelectionProblem, given: Selection, noteSize: number): number {
  const spent = given.size[0]! - problem.noteSize(given.open)[0]! + noteSize;
  const columns = Math.max(0, Math.floor(((problem.limits[0]! - spent) / 1000) * GRID));
  let table = new Float64Array(columns + 1);
  for (const section of problem.sections) {
    const rest = problem.candidates.flatMap((candidate, index) =>
      candidate.section === section ? upgradesOf(candidate, given.formOf(index)) : [],
    );
    const heading = (size: number): number => (given.isOpen(section) ? 0 : cells(size));
    const cut = best(rest, shifted(table, heading(section.cutHeadingSize[0]!)), false);
    const whole = best(rest, shifted(table, heading(section.headingSize[0]!)), true);
    table = table.map((value, column) => Math.max(value, cut[column]!, whole[column]!));
  }
  return table.at(-1)!;
}

/** What can still be gained with a candidate, measured from the form that it is given in. */
function upgradesOf({ item, forms }: PricedItem, present: number): Upgrade[] {
  const now = present === NONE ? undefined : forms[present]!;
  const steps = forms
    .filter((form) => form.value > (now?.value ?? 0))
    .map((form) => ({
      size: form.size[0]! - (now?.size[0] ?? 0),
      value: form.value - (now?.value ?? 0),
      isWhole: form.shows === item.units,
    }));
  return steps.length === 0 ? [] : [{ steps, isGiven: now !== undefined }];
}

interface Upgrade {
  readonly steps: readonly { readonly size: number; readonly value: number; readonly isWhole: boolean }[];
  readonly isGiven: boolean;
}

/** One section: each candidate in one form or not at all; with `whole`, all of them and showing everything. */
function best(
  upgrades: readonly Upgrade[],
  start: Float64Array<ArrayBuffer>,
  whole: boolean,
): Float64Array<ArrayBuffer> {
  let table = start;
  for (const { steps, isGiven } of upgrades) {
    const next = whole && !isGiven ? new Float64Array(table.length).fill(-Infinity) : table.slice();
    for (const step of steps) {
      if (whole && !step.isWhole) continue;
      const size = cells(step.size);
      for (let column = size; column < table.length; column += 1) {
        next[column] = Math.max(next[column]!, table[column - size]! + step.value);
      }
    }
    table = next;
  }
  return table;
}

function shifted(table: Float64Array<ArrayBuffer>, by: number): Float64Array<ArrayBuffer> {
  const moved = new Float64Array(table.length).fill(-Infinity);
  moved.set(table.subarray(0, Math.max(0, table.length - by)), Math.min(by, table.length));
  return moved;
}

function cells(milli: number): number {
  return Math.floor((milli / 1000) * GRID);
}
