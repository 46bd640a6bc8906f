import type { WorkState } from "../../work/state/work-state.ts";
import type { Bug } from "../bugs/verbs.ts";

/** What a rule may look at: one trail as its newest checkpoint tells it, and what is known around it. */
export interface Facts {
  readonly trail: string;
  readonly state: WorkState;
  readonly now: Date;
  /** Whether nothing goes on here at the moment: it ended, or has waited for an hour. */
  readonly isQuiet: boolean;
  /** The files that git calls changed; undefined where there is no repository. */
  readonly changed: ReadonlySet<string> | undefined;
  /** The open bugs that were met here. */
  readonly bugs: readonly Bug[];
  /** The rules that a briefing of this trail has no room for, or only for the beginning of. */
  readonly droppedRules: readonly string[];
  /** Whether the gate asks for approvals anyway. */
  readonly isGoverned: boolean;
}

/** Something that was recorded, and when: the checkpoint that holds it first is cited. */
export interface Evidence {
  readonly what: string;
  readonly at?: string | undefined;
}

export interface RuleFinding {
  /** Tells it from other findings of its rule on this trail, and stays the same as they grow. */
  readonly key: string;
  /** One sentence. What was recorded may stand in it: it is data. */
  readonly reason: string;
  /** What to type next: it only looks, or records a rule. */
  readonly command: string;
  readonly evidence: readonly Evidence[];
}

/** One kind of suggestion. `find` is pure: the same facts give the same findings. */
export interface SuggestionRule {
  /** Words with hyphens: part of the ids of its suggestions. */
  readonly id: string;
  /** Why it is worth telling, for `--explain`. */
  readonly about: string;
  readonly find: (facts: Facts) => readonly RuleFinding[];
}
