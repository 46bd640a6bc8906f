import { read } from "../../shape/read.ts";
import { FIELDS } from "../../state/fields.ts";
import type { Decision, Remark, WorkState } from "../../state/work-state.ts";
import { CheckpointError } from "../../../core/errors.ts";
import { commitWork, signed } from "../commit-work.ts";
import { loadWork } from "../reading/load-work.ts";
import type { Project } from "../project.ts";
import { meaningful } from "../sentence.ts";
import { type NumberedEntry, findEntry, type List } from "./find-entry.ts";
import type { InputOf } from "../../verbs/field.ts";
import type { CORRECTIONS } from "./correction-verbs.ts";
import type { WORK } from "./verbs.ts";

type EntryOf<Name extends List> = Name extends "decisions" ? Decision : Remark;

/** Adds a rule that every later agent must keep. */
export async function constraint(project: Project, { trail, text }: InputOf<(typeof WORK)["constraint"]>) {
  const fresh = { text: meaningful(text, "The rule") };
  const { added, ...rest } = await addEntry(project, "constraints", { trail, fresh });
  return { ...rest, constraint: added };
}

/** Records what the work waits for. */
export async function block(project: Project, { trail, text }: InputOf<(typeof WORK)["block"]>) {
  const fresh = { text: meaningful(text, "The blocker") };
  const { added, ...rest } = await addEntry(project, "blockers", { trail, fresh });
  return { ...rest, blocker: added };
}

/** Records a decision and its reason. */
export async function decide(project: Project, { trail, what, why }: InputOf<(typeof WORK)["decide"]>) {
  const fresh = {
    what: meaningful(what, "The decision"),
    why: why === undefined ? null : meaningful(why, "The reason"),
  };
  const { checkpoint, added } = await addEntry(project, "decisions", { trail, fresh });
  return { checkpoint, decision: added };
}

/** The rules, in the order of their numbers. */
export async function constraintList(
  project: Project,
  input: InputOf<(typeof CORRECTIONS)["constraint list"]>,
) {
  return (await loadWork(project, input)).constraints;
}

/** The decisions, in the order of their numbers. */
export async function decisionList(
  project: Project,
  input: InputOf<(typeof CORRECTIONS)["constraint list"]>,
) {
  return (await loadWork(project, input)).decisions;
}

/** Rewords a rule, and signs it. Saves nothing if the wording is unchanged. */
export async function constraintEdit(
  project: Project,
  input: InputOf<(typeof CORRECTIONS)["constraint edit"]>,
) {
  const fresh = { text: meaningful(input.text, "The rule") };
  const { edited, ...rest } = await editEntry(project, "constraints", { ...input, fresh });
  return { ...rest, constraint: edited };
}

/** Rewords a decision or its reason. Saves nothing if the wording is unchanged. */
export async function decisionEdit(project: Project, input: InputOf<(typeof CORRECTIONS)["decision edit"]>) {
  const { what, why } = input;
  const fresh = {
    ...(what === undefined ? {} : { what: meaningful(what, "The decision") }),
    ...(why === undefined ? {} : { why: meaningful(why, "The reason") }),
  };
  if (what === undefined && why === undefined)
    throw new CheckpointError(
      "usage",
      "Nothing to change: give the new wording, or a new reason with --why.",
      { hint: `checkpoint decision edit ${input.which} --why "…"` },
    );
  const { edited, ...rest } = await editEntry(project, "decisions", { ...input, fresh });
  return { ...rest, decision: edited };
}

/** Removes a rule: it no longer applies from the next checkpoint on. */
export async function constraintRemove(
  project: Project,
  input: InputOf<(typeof CORRECTIONS)["constraint remove"]>,
) {
  return removeEntry(project, "constraints", input);
}

/** Removes a decision. */
export async function decisionRemove(
  project: Project,
  input: InputOf<(typeof CORRECTIONS)["constraint remove"]>,
) {
  return removeEntry(project, "decisions", input);
}

/** Removes a blocker. */
export async function unblock(project: Project, input: InputOf<(typeof WORK)["unblock"]>) {
  return removeEntry(project, "blockers", input);
}

async function addEntry<Name extends List>(
  project: Project,
  list: Name,
  { trail, fresh }: { trail?: string | undefined; fresh: object },
) {
  const { checkpoint, state } = await commitWork(project, {
    trail,
    fresh,
    change: (draft, clean) => void (draft[list] as object[]).push({ ...clean, ...signed(project) }),
  });
  return { checkpoint, number: state[list].length, added: state[list].at(-1) as EntryOf<Name> };
}

async function editEntry<Name extends List>(
  project: Project,
  list: Name,
  { trail, which, fresh }: { trail?: string | undefined; which: string; fresh: NumberedEntry },
) {
  let at = 0;
  const { checkpoint, state } = await commitWork(project, {
    trail,
    mustExist: true,
    ifChanged: true,
    fresh,
    change: (draft, clean) => {
      const entries = entriesOf(draft, list);
      at = findEntry(entries, which, list);
      const [before = {}] = entries.slice(at);
      const isSame = (Object.keys(clean) as (keyof NumberedEntry)[]).every(
        (name) => before[name] === clean[name],
      );
      if (!isSame) Object.assign(draft[list], { [at]: { ...before, ...clean, ...signed(project) } });
    },
  });
  return { checkpoint, number: at + 1, edited: state[list][at] as EntryOf<Name> };
}

async function removeEntry<Name extends List>(
  project: Project,
  list: Name,
  { trail, which }: InputOf<(typeof CORRECTIONS)["constraint remove"]>,
) {
  let removed: NumberedEntry | undefined;
  const { checkpoint, state } = await commitWork(project, {
    trail,
    mustExist: true,
    fresh: {},
    change: (draft) => {
      const entries = entriesOf(draft, list);
      const at = findEntry(entries, which, list);
      removed = entries[at];
      draft[list].splice(at, 1);
    },
  });
  return { checkpoint, removed: removed as EntryOf<Name>, left: state[list].length };
}

/** The entries of a state that is to be changed, which is as it was stored: each in its place, in our form. */
const entriesOf = (draft: WorkState, list: List): readonly NumberedEntry[] =>
  read<readonly NumberedEntry[]>(FIELDS[list].shape, draft[list]) ?? [];
