import type { Decision, Remark } from "../../checkpoints/work-state.ts";
import { CheckpointError } from "../../errors.ts";
import { asList, textOf } from "../../text/untrusted.ts";
import { commitWork, signed } from "../commit-work.ts";
import { meaningful } from "../sentence.ts";
import { load } from "../looking/load.ts";
import type { Project } from "../project.ts";
import type { InputOf } from "../schema-parts.ts";
import { findEntry, type ListedAs, removeEntry, type RemoveEntryResult } from "./find-entry.ts";

export type { RemoveEntryResult } from "./find-entry.ts";
import type { CONSTRAINT_EDIT, DECISION_EDIT, LIST_ENTRIES, REMOVE_ENTRY } from "./schemas.ts";

const RULES: ListedAs = { noun: "rule", shownBy: "checkpoint constraint list" };
const DECISIONS: ListedAs = { noun: "decision", shownBy: "checkpoint decision list" };

/** The rules, in the order of their numbers. As recorded: imported ones may be anything. */
export async function constraintList(
  project: Project,
  input: InputOf<typeof LIST_ENTRIES>,
): Promise<readonly unknown[]> {
  return asList((await load(project, input)).state.constraints);
}

/** The decisions, in the order of their numbers. */
export async function decisionList(
  project: Project,
  input: InputOf<typeof LIST_ENTRIES>,
): Promise<readonly unknown[]> {
  return asList((await load(project, input)).state.decisions);
}

/** Rewords a rule, and signs it. Saves nothing where it says that already. */
export async function constraintEdit(
  project: Project,
  { trail, which, text }: InputOf<typeof CONSTRAINT_EDIT>,
) {
  let at = 0;
  const { checkpoint, state } = await commitWork(project, {
    trail,
    mustExist: true,
    ifChanged: true,
    fresh: { text: meaningful(text, "The rule") },
    change: (draft, fresh) => {
      at = findEntry(draft.constraints, which, RULES);
      if (textOf(draft.constraints[at], "text") === fresh.text) return;
      draft.constraints[at] = { ...draft.constraints[at], ...fresh, ...signed(project) };
    },
  });
  return { checkpoint, number: at + 1, constraint: state.constraints[at] as Remark };
}

/** Rewords a decision or its reason. Saves nothing where it says that already. */
export async function decisionEdit(
  project: Project,
  { trail, which, what, why }: InputOf<typeof DECISION_EDIT>,
) {
  const fresh = {
    ...(what === undefined ? {} : { what: meaningful(what, "The decision") }),
    ...(why === undefined ? {} : { why: meaningful(why, "The reason") }),
  };
  if (what === undefined && why === undefined)
    throw new CheckpointError(
      "usage",
      "Nothing to change: give the new wording, or a new reason with --why.",
      {
        hint: `checkpoint decision edit ${which} --why "…"`,
      },
    );
  let at = 0;
  const { checkpoint, state } = await commitWork(project, {
    trail,
    mustExist: true,
    ifChanged: true,
    fresh,
    change: (draft, clean) => {
      at = findEntry(draft.decisions, which, DECISIONS);
      const old = draft.decisions[at] as Decision;
      if (Object.entries(clean).every(([field, text]) => textOf(old, field) === text)) return;
      draft.decisions[at] = { ...old, ...clean, ...signed(project) };
    },
  });
  return { checkpoint, number: at + 1, decision: state.decisions[at] as Decision };
}

/** Takes a rule away: from the next checkpoint on nobody has to keep it. */
export async function constraintRemove(
  project: Project,
  input: InputOf<typeof REMOVE_ENTRY>,
): Promise<RemoveEntryResult> {
  return removeEntry(project, "constraints", input, RULES);
}

/** Takes a decision away. */
export async function decisionRemove(
  project: Project,
  input: InputOf<typeof REMOVE_ENTRY>,
): Promise<RemoveEntryResult> {
  return removeEntry(project, "decisions", input, DECISIONS);
}
