import type { WorkState } from "../../state/work-state.ts";
import { textOf } from "../../../core/text/untrusted.ts";
import { clipped, item, verbatim } from "./forms.ts";
import type { Item } from "./item.ts";
import { recorderOf } from "./provenance.ts";

/** A rule, a decision or the goal that holds for the whole project. */
export interface ProjectEntry {
  readonly kind: "goal" | "constraint" | "decision";
  readonly words: string;
  /** Who said so, as recorded. */
  readonly by: string;
}

/** What a person said about the whole project, and what was promoted to it: that part of the project's own trail. */
export function projectEntries(state: WorkState): ProjectEntry[] {
  const { goal, goal_by, success_criteria: criteria, constraints, decisions } = state;
  const done = criteria.length === 0 ? "" : ` (done when: ${criteria.join("; ")})`;
  return [
    ...(goal !== undefined && isGoalOfProject(state)
      ? [{ kind: "goal" as const, words: `${goal}${done}`, by: goal_by?.by ?? "person" }]
      : []),
    ...constraints
      .filter(isOfProject)
      .map(({ text, by = "" }) => ({ kind: "constraint" as const, words: text, by })),
    ...decisions
      .filter(isOfProject)
      .map((each) => ({ kind: "decision" as const, words: decisionWords(each), by: each.by ?? "" })),
  ];
}

/** Whether an entry belongs to the project: a person typed it, or it was promoted. What else agents note is their own. */
export function isOfProject(entry: unknown): boolean {
  return recorderOf(entry) === "person" || textOf(entry, "promoted_from") !== undefined;
}

/** Whether the goal belongs to the project. A goal without a mark was typed by a person. */
export function isGoalOfProject({ goal, goal_by: by, imported_texts: imported = [] }: WorkState): boolean {
  return goal !== undefined && !imported.includes(goal) && (by === undefined || isOfProject(by));
}

/** A decision with its reason, which keeps the next agent from undoing it. */
export function decisionWords({ what, why }: WorkState["decisions"][number]): string {
  return why === null ? what : `${what.replace(/[.;\s]{1,9}$/, "")}, because: ${why}`;
}

const LABELS = { goal: "Goal", constraint: "Rule", decision: "Decided" } as const;

/** An entry with what it is in front of it. */
export const labelled = ({ kind, words }: ProjectEntry): string => `${LABELS[kind]}: ${words}`;

/** The id of the project's goal among the items of a briefing. */
export const PROJECT_GOAL = "project.goal";
const VALUES = { goal: 88, constraint: 92, decision: 60 } as const;

/** The project's entries in the briefing of a session, save those that the session recorded itself. */
export function projectItems(entries: readonly ProjectEntry[], state: WorkState): Item[] {
  const { goal, constraints, decisions } = state;
  const known = new Set([goal, ...constraints.map(({ text }) => text), ...decisions.map(decisionWords)]);
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
