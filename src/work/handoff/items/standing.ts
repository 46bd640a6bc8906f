import type { Activity } from "../../state/activity.ts";
import { cut } from "../../../core/text/cut.ts";
import { capitalized, count } from "../../state/words.ts";
import { item, present } from "./forms.ts";
import type { Item } from "./item.ts";

/** Where the files stand: on which branch, what is committed, and what was checked since the last edit. */
export function standing(activity: Activity): Item[] {
  const { edits, results } = activity;
  const branch = branchOf(activity);
  const committed = edits.length === 0 ? undefined : commits(activity);
  const on = branch === undefined ? undefined : `Branch ${branch}`;
  const where = capitalized(present([on, committed]).join(": "));
  const about = { section: "situation", value: 60, origin: "tool" } as const;
  return present([where, checks(edits, results)]).map((words, index) =>
    item({ id: `standing[${index}]`, words, ...about, parts: [{ length: words.length + 3, worth: 1 }] }),
  );
}

/** The branch that was seen last. */
export function branchOf({ references }: Activity): string | undefined {
  return references.findLast((each) => each.startsWith("branch "))?.slice("branch ".length);
}

const LONGEST_SUBJECT = 50;

function commits({ edits, commits: made = [] }: Activity): string {
  const last = edits.findLast(({ commit }) => commit !== undefined)?.commit ?? made.at(-1)?.hash.slice(0, 9);
  const open = edits.filter(({ commit }) => commit === undefined).length;
  if (last === undefined) return `nothing committed in this session (${count(open, "file")} changed)`;
  const subject = made.findLast(({ hash }) => hash.startsWith(last))?.subject;
  const told = subject === undefined ? last : `${last} ${cut(subject, LONGEST_SUBJECT)}`;
  return open === 0
    ? `all changes are committed, last in ${told}`
    : `${count(open, "file")} not committed (last commit ${told})`;
}

function checks(edits: Activity["edits"], results: Activity["results"]): string | undefined {
  if (edits.length === 0) return undefined;
  const edited = edits.reduce((latest, { at }) => (at > latest ? at : latest), "");
  const passed = results.findLast(({ ok, check }) => ok && check !== undefined);
  if (results.some(({ check, at }) => check !== undefined && at > edited)) return undefined;
  const before = passed === undefined ? "" : `; before it passed: ${passed.check} at ${minute(passed.at)}`;
  return `No check since the last edit (${minute(edited)})${before}`;
}

export const minute = (at: string): string => at.slice(11, 16);
