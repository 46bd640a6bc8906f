import type { Activity } from "../../state/activity.ts";
import { count } from "../../state/words.ts";
import { item, present } from "./forms.ts";
import type { Item } from "./item.ts";

/** What is committed, and what was checked since the last edit: nobody says it, and whoever continues has to know. */
export function standing({ edits, results, commits: made = [] }: Activity): Item[] {
  if (edits.length === 0) return [];
  const about = { section: "situation", value: 40, origin: "tool" } as const;
  return present([commits(edits, made), checks(edits, results)]).map((words, index) =>
    item({ id: `standing[${index}]`, words, ...about }),
  );
}

function commits(edits: Activity["edits"], made: NonNullable<Activity["commits"]>): string {
  const last = edits.findLast(({ commit }) => commit !== undefined)?.commit ?? made.at(-1)?.hash.slice(0, 9);
  const open = edits.filter(({ commit }) => commit === undefined).length;
  if (last === undefined) return `Nothing committed in this session (${count(open, "file")} changed)`;
  return open === 0
    ? `All changes are committed, last in ${last}`
    : `Not committed: ${count(open, "file")} (last commit ${last})`;
}

function checks(edits: Activity["edits"], results: Activity["results"]): string | undefined {
  const edited = edits.reduce((latest, { at }) => (at > latest ? at : latest), "");
  const passed = results.findLast(({ ok, check }) => ok && check !== undefined);
  if (results.some(({ check, at }) => check !== undefined && at > edited)) return undefined;
  const before = passed === undefined ? "" : `; before it passed: ${passed.check} at ${minute(passed.at)}`;
  return `No check since the last edit (${minute(edited)})${before}`;
}

export const minute = (at: string): string => at.slice(11, 16);
