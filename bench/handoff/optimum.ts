import { collect } from "../../src/handoff/collect.ts";
import type { HandoffInput } from "../../src/handoff/handoff.ts";
import { createMeter } from "../../src/handoff/meter.ts";
import { createProblem, type Candidate, type PricedSection, type Problem } from "../../src/handoff/problem.ts";
import { select, takeEssentials } from "../../src/handoff/select.ts";
import { NONE, Selection } from "../../src/handoff/selection.ts";
import type { CountedFamily } from "./counters.ts";

/** Columns of the table for each token. Sizes are rounded down to it, which flatters the optimum, never us. */
const GRID = 4;

/** What our selection is worth beside the exact optimum on the same items; undefined when essentials do not fit. */
export function compareWithOptimum(input: HandoffInput, maxTokens: number, family: CountedFamily): { all: number; beyondEssentials: number } | undefined {
  const problem = createProblem(
    collect(input.state, input.checkpoint, {}),
    { dress: "markdown", audience: "next-agent", isImported: false, loadCommand: "checkpoint load x --json", resumeCommand: input.resumeCommand },
    createMeter({ family, maxTokens }),
  );
  const selection = new Selection(problem);
  if (takeEssentials(problem, selection).length > 0) return undefined;
  select(problem, selection);
  const ours = valueOf(problem, selection);
  const best = optimum(problem, problem.noteSize(selection.open)[0]!);
  return { all: ours.all / (ours.essentials + best), beyondEssentials: best === 0 ? 1 : (ours.all - ours.essentials) / best };
}

function valueOf(problem: Problem, selection: Selection): { all: number; essentials: number } {
  let all = 0;
  let essentials = 0;
  for (const [index, { item, forms }] of problem.candidates.entries()) {
    const form = selection.formOf(index);
    if (form === NONE) continue;
    all += forms[form]!.value;
    if (item.tier === 0) essentials += forms[form]!.value;
  }
  return { all, essentials };
}

/**
 * The most value that fits beside the essentials: an exact table over all items, section by section, where a
 * section's heading is paid once, and is shorter when everything of it is shown. The note on what is missing is
 * taken as our selection has it.
 */
function optimum(problem: Problem, noteSize: number): number {
  const sections = Map.groupBy(problem.candidates, (candidate) => candidate.section);
  let spent = problem.frameSize[0]! + noteSize;
  const open = new Set<PricedSection>();
  for (const { item, section, forms } of problem.candidates) {
    if (item.tier !== 0) continue;
    if (!open.has(section)) spent += section.headingSize[0]!;
    open.add(section);
    spent += forms[0]!.size[0]!;
  }
  const columns = Math.floor(((problem.limits[0]! - spent) / 1000) * GRID);
  let table = new Float64Array(Math.max(0, columns) + 1);
  for (const [section, candidates] of sections) {
    const rest = candidates.filter(({ item }) => item.tier !== 0);
    if (rest.length === 0) continue;
    const heading = (size: number): number => (open.has(section) ? 0 : cells(size));
    const cut = best(rest, shifted(table, heading(section.cutHeadingSize[0]!)), false);
    const whole = best(rest, shifted(table, heading(section.headingSize[0]!)), true);
    table = table.map((value, column) => Math.max(value, cut[column]!, whole[column]!));
  }
  return Math.max(...table.subarray(-1));
}

/** One section: each candidate in one form or not at all; with `whole`, all of them and showing everything. */
function best(candidates: readonly Candidate[], start: Float64Array<ArrayBuffer>, whole: boolean): Float64Array<ArrayBuffer> {
  let table = start;
  for (const { item, forms } of candidates) {
    const next = whole ? new Float64Array(table.length).fill(-Infinity) : table.slice();
    for (const form of forms) {
      if (whole && form.shows < item.units) continue;
      const size = cells(form.size[0]!);
      for (let column = size; column < table.length; column += 1) {
        next[column] = Math.max(next[column]!, table[column - size]! + form.value);
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
