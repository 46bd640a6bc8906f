import type { Activity } from "../../state/activity.ts";
import { isAbsolute } from "node:path";
import { cut } from "../../../core/text/cut.ts";
import { clip } from "../../../core/text/visible.ts";
import { capitalized, count } from "../../state/words.ts";
import { item, lineItem, present } from "./forms.ts";
import type { Item } from "./item.ts";

/** Where the files stand: on which branch, what is committed, and what was checked since the last edit. */
export function standing(activity: Activity): Item[] {
  const { results } = activity;
  // What lies outside the project is never committed.
  const edits = activity.edits.filter(({ path }) => !isAbsolute(path));
  const branch = branchOf(activity);
  const committed = commits(activity, edits);
  const on = branch === undefined ? undefined : `Branch ${branch}`;
  const where = capitalized(present([on, committed]).join(": "));
  return [...(where === "" ? [] : [fact("standing", where)]), ...checks(edits, results)];
}

function fact(id: string, words: string): Item {
  const parts = [{ length: words.length + 3, worth: 1 }];
  return item({ id, section: "situation", value: 60, words, origin: "tool", parts });
}

/** The branch that was seen last. */
export function branchOf({ references }: Activity): string | undefined {
  return references.findLast((each) => each.startsWith("branch "))?.slice("branch ".length);
}

const LONGEST_SUBJECT = 50;

function commits({ turns, commits: made = [] }: Activity, edits: Activity["edits"]): string | undefined {
  const last = edits.findLast(({ commit }) => commit !== undefined)?.commit ?? made.at(-1)?.hash.slice(0, 9);
  const open = edits.filter(({ commit }) => commit === undefined).length;
  if (edits.length === 0 && last === undefined)
    return turns.length === 0 ? undefined : "no edits with tools in this session";
  if (last === undefined) return `nothing committed in this session (${count(open, "file")} changed)`;
  const { subject, pushed } = made.findLast(({ hash }) => hash.startsWith(last)) ?? {};
  const words = subject === undefined ? last : `${last} ${cut(subject, LONGEST_SUBJECT)}`;
  const told = pushed === true ? `${words}, pushed` : words;
  if (edits.length === 0) return `last commit ${told}`;
  return open === 0
    ? `all changes are committed, last in ${told}`
    : `${count(open, "file")} not committed (last commit ${told})`;
}

function checks(edits: Activity["edits"], results: Activity["results"]): Item[] {
  const edited = edits.at(-1)?.at ?? "";
  const passed = results.filter(({ ok, check }) => ok && check !== undefined).toReversed();
  const since = passed.filter(({ at }) => at > edited);
  const told = (label: string, all: Activity["results"]) => {
    const words = all.map(({ check = "", at }) => `${clip(check, 80)} at ${minute(at)}`);
    return lineItem("situation", "standing.checks", words, { label, value: 60 });
  };
  if (since.length > 0) return told(edited === "" ? "Passed: " : "Passed since the last edit: ", since);
  if (edited === "" || results.some(({ check, at }) => check !== undefined && at > edited)) return [];
  const none = `No check since the last edit (${minute(edited)})`;
  return passed.length > 0 ? told(`${none}; before it passed: `, passed) : [fact("standing.checks", none)];
}

export const minute = (at: string): string => at.slice(11, 16);
