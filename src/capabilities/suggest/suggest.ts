import type { Project } from "../../work/project/project.ts";
import { gatherFacts } from "./facts.ts";
import { findingsOf } from "./findings.ts";
import { openDismissed } from "./suggest-dismiss.ts";
import type { Evidence, SuggestionRule } from "./rule.ts";
import { RULES } from "./rules/rules.ts";

/** Something worth doing, and what says so. */
export interface Suggestion {
  /** Stays the same for as long as it is the same suggestion. */
  readonly id: string;
  readonly rule: string;
  readonly about: string;
  readonly trail: string;
  readonly reason: string;
  /** What to type next: it only looks, or records a rule. */
  readonly command: string;
  /** The checkpoints that it rests on, the newest last. */
  readonly checkpoints: readonly string[];
  readonly evidence: readonly { readonly what: string; readonly at: string | null }[];
}

export interface SuggestionList {
  /** Those of the trail that was saved last first; of each trail the most useful first. */
  readonly suggestions: readonly Suggestion[];
  /** How many were dismissed and would be told otherwise. */
  readonly dismissed: number;
}

/** More of one session would not be read. */
const MOST_OF_TRAIL = 3;
const MOST_EVIDENCE = 10;

/**
 * What the record suggests to do next, up to this moment. A program may give rules of its own: `[...RULES, mine]`.
 *
 * @example
 * const project = openProject({ path: "." });
 * await goal(project, { goal: "Ship the login page" });
 * const { suggestions } = await suggest(project);
 * for (const { reason, command } of suggestions) console.log(reason, command);
 * await project.stores.close();
 */
export async function suggest(
  project: Project,
  _input: object = {},
  rules: readonly SuggestionRule[] = RULES,
): Promise<SuggestionList> {
  const cairn = await project.stores.open(project, "write", "keep.suggestions");
  const { state } = await openDismissed(cairn);
  const gone = new Set(state.dismissed.map(({ id }) => id));
  const suggestions: Suggestion[] = [];
  let dismissed = 0;
  for (const facts of await gatherFacts(project, cairn)) {
    const all = findingsOf(facts, rules);
    const left = all.filter(({ id, rule }) => !gone.has(id) && !gone.has(rule.id));
    dismissed += all.length - left.length;
    const told = left.slice(0, MOST_OF_TRAIL);
    if (told.length === 0) continue;
    const saved = await cairn.trail(facts.trail).history();
    for (const { id, rule, finding } of told) {
      const { reason, command, evidence } = finding;
      suggestions.push({
        id,
        rule: rule.id,
        about: rule.about,
        trail: facts.trail,
        reason,
        command,
        checkpoints: cited(evidence, saved),
        evidence: evidence.slice(-MOST_EVIDENCE).map(({ what, at = null }) => ({ what, at })),
      });
    }
  }
  return { suggestions, dismissed };
}

interface Saved {
  readonly checkpoint_id: string;
  readonly created_at: string;
}

/** For each piece of evidence the first checkpoint that can hold it; without any, the newest. `saved` has the newest first. */
function cited(evidence: readonly Evidence[], saved: readonly Saved[]): string[] {
  const ids = evidence.flatMap(({ at }) =>
    at === undefined ? [] : (saved.findLast(({ created_at }) => created_at >= at)?.checkpoint_id ?? []),
  );
  const newest = saved.slice(0, 1).map(({ checkpoint_id }) => checkpoint_id);
  return [...new Set(ids.length === 0 ? newest : ids)].slice(-MOST_EVIDENCE);
}
