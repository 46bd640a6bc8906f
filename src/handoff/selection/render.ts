import { fenceMarker } from "../frame/fence.ts";
import { closing, heading, missingNote, opening, type Frame } from "../frame/frame.ts";
import { closedSections, type Candidate, type Problem } from "./problem.ts";
import { NONE, type Selection } from "./selection.ts";

/** The text of a selection: frame, sections in order, what was left out. Equal selections give equal bytes. */
export function render(problem: Problem, selection: Selection, frame: Frame, key: Uint8Array): string {
  const members = Map.groupBy(problem.candidates.keys(), (index) => problem.candidates[index]!.section);
  const lines: string[] = [];
  for (const part of problem.sections) {
    const shown = selection.shownOf(part);
    if (!selection.isOpen(part)) continue;
    lines.push(heading(part.section, frame.dress, { shown, total: part.total, origin: part.origin }));
    for (const index of members.get(part)!) {
      const form = selection.formOf(index);
      if (form !== NONE) lines.push(textOf(problem.candidates[index]!, form));
    }
  }
  const note = missingNote(closedSections(problem.sections, selection.open));
  const marker = fenceMarker(key, lines.join("\n"));
  return [opening(frame, marker), ...lines, closing(frame, marker, note)].join("\n");
}

function textOf(candidate: Candidate, form: number): string {
  return candidate.forms[form]!.text;
}
