import { asList, asRecord, asText, own, textOf } from "../../../core/text/untrusted.ts";
import { clipped, item, sentenceOf, verbatim } from "./forms.ts";
import type { Item } from "./item.ts";
import { recorderOf, withImportMarks } from "./provenance.ts";

/** A rule, a decision or the goal that holds for the whole project. */
export interface ProjectEntry {
  readonly kind: "goal" | "constraint" | "decision";
  readonly words: string;
  /** Who said so, as recorded. */
  readonly by: string;
}

/** What a person said about the whole project, and what was promoted to it: that part of the project's own trail. */
export function projectEntries(recorded: unknown): ProjectEntry[] {
  const state = withImportMarks(recorded);
  const entries = (name: string, kind: ProjectEntry["kind"]) =>
    asList(own(state, name))
      .filter(isOfProject)
      .flatMap((entry) => {
        const words = wordsOf(entry);
        return words === undefined ? [] : [{ kind, words, by: textOf(entry, "by") ?? "" }];
      });
  return [...goalEntry(state), ...entries("constraints", "constraint"), ...entries("decisions", "decision")];
}

/** Whether an entry belongs to the project: a person typed it, or it was promoted. What else agents note is their own. */
export function isOfProject(entry: unknown): boolean {
  return recorderOf(entry) === "person" || textOf(entry, "promoted_from") !== undefined;
}

/** Whether the goal belongs to the project. A goal without a mark was typed by a person. */
export function isGoalOfProject(state: unknown): boolean {
  const goal = own(withImportMarks(state), "goal");
  const by = own(state, "goal_by");
  return asText(goal) !== undefined && (by === undefined || isOfProject(by));
}

function goalEntry(state: unknown): ProjectEntry[] {
  const goal = asText(own(state, "goal"));
  if (goal === undefined || !isGoalOfProject(state)) return [];
  const criteria = asList(own(state, "success_criteria")).flatMap((each) => asText(each) ?? []);
  const words = criteria.length === 0 ? goal : `${goal} (done when: ${criteria.join("; ")})`;
  return [{ kind: "goal", words, by: textOf(own(state, "goal_by"), "by") ?? "person" }];
}

/** A rule, or a decision with its reason, which keeps the next agent from undoing it. */
export function wordsOf(entry: unknown): string | undefined {
  const what = sentenceOf(entry, "decision");
  const why = textOf(entry, "why", "reason", "rationale");
  return what === undefined || why === undefined
    ? what
    : `${what.replace(/[.;\s]{1,9}$/, "")}, because: ${why}`;
}

const LABELS = { goal: "Goal", constraint: "Constraint", decision: "Decided" } as const;

/** An entry with what it is in front of it. */
export const labelled = ({ kind, words }: ProjectEntry): string => `${LABELS[kind]}: ${words}`;

/** The id of the project's goal among the items of a briefing. */
export const PROJECT_GOAL = "project.goal";
const VALUES = { goal: 88, constraint: 92, decision: 60 } as const;

/** The project's entries in the briefing of a session, save those that the session recorded itself. */
export function projectItems(entries: readonly ProjectEntry[], state: unknown): Item[] {
  const known = new Set(
    ["goal", "constraints", "decisions"].flatMap((name) =>
      asList(own(state, name)).flatMap((each) => wordsOf(asRecord(each) ?? { text: each }) ?? []),
    ),
  );
  return entries
    .filter(({ words }) => !known.has(words))
    .map((entry, index) => {
      const { kind, by } = entry;
      const words = labelled(entry);
      const isEssential = kind !== "decision";
      return item({
        id: kind === "goal" ? PROJECT_GOAL : `project[${index}]`,
        section: "project",
        tier: isEssential ? 0 : 1,
        value: VALUES[kind],
        words,
        fit: isEssential ? verbatim(words) : clipped(words),
        from: { by },
      });
    });
}
