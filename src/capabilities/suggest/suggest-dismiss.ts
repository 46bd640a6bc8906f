import { CheckpointError } from "../../core/errors.ts";
import type { Project } from "../../work/project/project.ts";
import { notesOrNone } from "../../work/project/sentence.ts";
import type { InputOf } from "../../work/verbs/field.ts";
import type { Cairn } from "../../work/state/cairn.ts";
import { openOwnTrail } from "../bugs/own-trail.ts";
import { gatherFacts } from "./facts.ts";
import type { SuggestionRule } from "./rule.ts";
import { RULES } from "./rules/rules.ts";
import { findingsOf } from "./findings.ts";
import type { SUGGEST } from "./verbs.ts";

export interface Dismissed {
  /** Of a suggestion, or of a rule. */
  readonly id: string;
  readonly at: string;
  readonly by: string;
  readonly why: string | null;
}

const MOST_DISMISSED = 1000;

/** What was dismissed for good. */
export const openDismissed = (cairn: Cairn) =>
  openOwnTrail(cairn, "watch/suggestions", { dismissed: [] as Dismissed[] });

/** A suggestion is not told again, or nothing of a rule. */
export async function suggestDismiss(
  project: Project,
  { id, why }: InputOf<(typeof SUGGEST)["suggest dismiss"]>,
  rules: readonly SuggestionRule[] = RULES,
): Promise<Dismissed> {
  const cairn = await project.stores.open(project, "write", "keep.suggestions");
  const { trail, state } = await openDismissed(cairn);
  const before = state.dismissed.find((each) => each.id === id);
  if (before !== undefined) return before;
  const isRule = rules.some((rule) => rule.id === id);
  const isKnown = async () =>
    (await gatherFacts(project, cairn)).some((facts) =>
      findingsOf(facts, rules).some((each) => each.id === id),
    );
  if (!isRule && !(await isKnown()))
    throw new CheckpointError("not-found", `There is no suggestion "${id}".`, {
      hint: "checkpoint suggest",
      details: { id },
    });
  const { actor, now } = project;
  const entry = { id, at: now().toISOString(), by: actor.signature, why: notesOrNone(why ?? "") ?? null };
  await trail.commit(
    (book) => {
      const others = book.dismissed.filter((each) => each.id !== id);
      book.dismissed = [...others, entry].slice(-MOST_DISMISSED);
    },
    { trigger: "suggestions" },
  );
  return entry;
}
