import type { CheckpointInfo } from "../../checkpoints/document.ts";
import type { Decision, Remark } from "../../checkpoints/work-state.ts";
import { CheckpointError } from "../../errors.ts";
import { asList } from "../../text/untrusted.ts";
import { commitWork, signed } from "../commit-work.ts";
import { meaningful } from "../sentence.ts";
import { load } from "../looking/load.ts";
import type { Project } from "../project.ts";
import type { InputOf } from "../schema-parts.ts";
import { findEntry, type ListedAs } from "./find-entry.ts";
import type { CONSTRAINT_EDIT, DECISION_EDIT, LIST_ENTRIES, REMOVE_ENTRY } from "./schemas.ts";

const RULES: ListedAs = { noun: "rule", shownBy: "checkpoint constraint list" };
const DECISIONS: ListedAs = { noun: "decision", shownBy: "checkpoint decision list" };

export type ListEntriesInput = InputOf<typeof LIST_ENTRIES>;

/** The rules, in the order of their numbers. As recorded: imported ones may be anything. */
export async function constraintList(project: Project, input: ListEntriesInput): Promise<readonly unknown[]> {
  return asList((await load(project, input)).state.constraints);
}

/** The decisions, in the order of their numbers. */
export async function decisionList(project: Project, input: ListEntriesInput): Promise<readonly unknown[]> {
  return asList((await load(project, input)).state.decisions);
}

export type ConstraintEditInput = InputOf<typeof CONSTRAINT_EDIT>;

export interface ConstraintEditResult {
  readonly checkpoint: CheckpointInfo | null;
  /** Counted from 1. */
  readonly number: number;
  readonly constraint: Remark;
}

/** Words a rule anew. It is signed by whoever does that. */
export async function constraintEdit(
  project: Project,
  { trail, which, text }: ConstraintEditInput,
): Promise<ConstraintEditResult> {
  let at = 0;
  const { checkpoint, state } = await commitWork(project, {
    trail,
    mustExist: true,
    fresh: { text: meaningful(text, "The rule") },
    change: (draft, fresh) => {
      at = findEntry(draft.constraints, which, RULES);
      draft.constraints[at] = { ...draft.constraints[at], ...fresh, ...signed(project) };
    },
  });
  return { checkpoint, number: at + 1, constraint: state.constraints[at] as Remark };
}

export type DecisionEditInput = InputOf<typeof DECISION_EDIT>;

export interface DecisionEditResult {
  readonly checkpoint: CheckpointInfo | null;
  readonly number: number;
  readonly decision: Decision;
}

/** Words a decision or its reason anew. */
export async function decisionEdit(
  project: Project,
  { trail, which, what, why }: DecisionEditInput,
): Promise<DecisionEditResult> {
  const fresh = {
    ...(what === undefined ? {} : { what: meaningful(what, "The decision") }),
    ...(why === undefined ? {} : { why: meaningful(why, "The reason") }),
  };
  if (what === undefined && why === undefined)
    throw new CheckpointError("usage", "Nothing to change: give the decision anew, or its reason.", {
      hint: `checkpoint decision edit ${which} --why "…"`,
    });
  let at = 0;
  const { checkpoint, state } = await commitWork(project, {
    trail,
    mustExist: true,
    fresh,
    change: (draft, clean) => {
      at = findEntry(draft.decisions, which, DECISIONS);
      draft.decisions[at] = { ...(draft.decisions[at] as Decision), ...clean, ...signed(project) };
    },
  });
  return { checkpoint, number: at + 1, decision: state.decisions[at] as Decision };
}

export type RemoveEntryInput = InputOf<typeof REMOVE_ENTRY>;

export interface RemoveEntryResult {
  readonly checkpoint: CheckpointInfo | null;
  readonly removed: Remark | Decision;
  readonly left: number;
}

/** Takes a rule away: from the next checkpoint on nobody has to keep it. */
export async function constraintRemove(
  project: Project,
  input: RemoveEntryInput,
): Promise<RemoveEntryResult> {
  return removeFrom(project, "constraints", input, RULES);
}

/** Takes a decision away. */
export async function decisionRemove(project: Project, input: RemoveEntryInput): Promise<RemoveEntryResult> {
  return removeFrom(project, "decisions", input, DECISIONS);
}

async function removeFrom(
  project: Project,
  list: "constraints" | "decisions",
  { trail, which }: RemoveEntryInput,
  listed: ListedAs,
): Promise<RemoveEntryResult> {
  const wanted = meaningful(which, `The ${listed.noun}`);
  let removed: Remark | Decision | undefined;
  const { checkpoint, state } = await commitWork(project, {
    trail,
    mustExist: true,
    fresh: {},
    change: ({ [list]: entries }) => {
      [removed] = entries.splice(findEntry(entries, wanted, listed), 1);
    },
  });
  return { checkpoint, removed: removed as unknown as Remark | Decision, left: state[list].length };
}
