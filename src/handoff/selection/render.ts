import { fenceMarker } from "../frame/fence.ts";
import { closing, heading, missingNote, opening, type BriefingFrame } from "../frame/frame.ts";
import { closedSections, type SelectionProblem } from "./problem.ts";
import { NONE, type Selection } from "./selection.ts";

/** The text of a selection: frame, sections in order, what was left out. Equal selections give equal bytes. */
export function render(
  problem: SelectionProblem,
  selection: Selection,
  frame: BriefingFrame,
  key: Uint8Array,
): string {
  const members = Map.groupBy(problem.candidates.keys(), (index) => problem.candidates[index]!.section);
  const lines: string[] = [];
  for (const part of problem.sections) {
    const shown = selection.shownOf(part);
    if (!selection.isOpen(part)) continue;
    lines.push(heading(part.section, frame.style, { shown, total: part.total, origin: part.origin }));
    for (const index of members.get(part)!) {
      const form = selection.formOf(index);
      if (form !== NONE) lines.push(problem.candidates[index]!.forms[form]!.text);
    }
  }
  const note = missingNote(closedSections(problem.sections, selection.open));
  const marker = fenceMarker(key, lines.join("\n"));
  return [opening(frame, marker), ...lines, closing(frame, marker, note)].join("\n");
}
