import { fenceMarker } from "../frame/fence.ts";
import { bareTexts, closing, heading, missingNote, opening } from "../frame/frame.ts";
import { fits, type Budget } from "../tokens/meter.ts";
import { closedSections, type SelectionProblem } from "./problem.ts";
import { select, takeEssentials } from "./select.ts";
import { NONE, Selection } from "./selection.ts";
import { shrinkEssentials } from "./shrink.ts";
import { tooSmall } from "./too-small.ts";

/** A text, and the selection that it shows. */
export interface Solved {
  readonly text: string;
  readonly problem: SelectionProblem;
  readonly selection: Selection;
}

/**
 * Selects and renders: everything essential and the best of the rest. If the essentials do not fit, `shrink` cuts them
 * short, or leaves the commands alone.
 */
export function solve(
  problem: SelectionProblem,
  { budget, key, shrink }: { readonly budget: Budget; readonly key: Uint8Array; readonly shrink: boolean },
): Solved {
  const selection = new Selection(problem);
  const missing = takeEssentials(problem, selection);
  if (missing.length === 0 && fits(selection.size, problem.limits)) {
    select(problem, selection);
    return { text: render(problem, selection, key), problem, selection };
  }
  const shrunk = shrink ? shrinkEssentials(problem) : undefined;
  if (shrunk !== undefined) return { text: render(shrunk.problem, shrunk.selection, key), ...shrunk };
  const { frame, meter, limits } = problem;
  const bare = shrink ? bareTexts(frame).find((text) => fits(meter.measure(text), limits)) : undefined;
  if (bare !== undefined) return { text: bare, problem, selection: new Selection(problem) };
  throw tooSmall(problem, missing, budget);
}

/** The text of a selection: frame, sections in order, what was left out. Equal selections give equal bytes. */
function render(
  { frame, sections, candidates }: SelectionProblem,
  selection: Selection,
  key: Uint8Array,
): string {
  const members = Map.groupBy(candidates.keys(), (index) => candidates[index]!.section);
  const lines: string[] = [];
  for (const part of sections.filter((each) => selection.isOpen(each))) {
    const { section, total, origin } = part;
    lines.push(heading(section, frame.style, { shown: selection.shownOf(part), total, origin }));
    for (const index of members.get(part)!) {
      const form = selection.formOf(index);
      if (form !== NONE) lines.push(candidates[index]!.forms[form]!.text);
    }
  }
  const note = missingNote(closedSections(sections, selection.open));
  const marker = fenceMarker(key, lines.join("\n"));
  return [opening(frame, marker), ...lines, closing(frame, marker, note)].join("\n");
}
