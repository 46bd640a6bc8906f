import { type ProjectEntry, projectEntries } from "../../handoff/items/project.ts";
import { projectNews, projectNewsText } from "../../handoff/project-news.ts";
import type { Cairn } from "../../state/cairn.ts";
import { markIfImported } from "../../state/imported-marks.ts";
import { PROJECT_TRAIL } from "../session.ts";
import { loadIfAny } from "./unfinished.ts";

/** The rules, decisions and goal that hold for every session, and the checkpoint that they were read from. */
export interface ProjectRules {
  readonly head?: string | undefined;
  readonly entries: readonly ProjectEntry[];
}

export async function projectRules(cairn: Cairn, id?: string): Promise<ProjectRules> {
  const found = await loadIfAny(cairn, PROJECT_TRAIL, id === undefined ? {} : { id });
  if (found === undefined) return { entries: [] };
  const head = found.content_hash;
  return { head, entries: projectEntries(await markIfImported(cairn.store, head, found.state)) };
}

/**
 * In words, what a session does not know yet, given the checkpoint of the project's trail that it was last told of;
 * undefined if it knows all.
 */
export async function rulesSince(
  cairn: Cairn,
  told: string | undefined,
  { entries }: ProjectRules,
): Promise<string | undefined> {
  // A checkpoint that was pruned tells nothing: then all of it is told again.
  const known = told === undefined ? [] : (await projectRules(cairn, told)).entries;
  const news = projectNews(known, entries);
  return news && projectNewsText(news, (await cairn.store.identity()).key);
}
