import type { Cairn } from "../../state/cairn.ts";
import { markIfImported } from "../../../core/trails/import-record.ts";
import { type ProjectEntry, projectEntries } from "../../handoff/items/project.ts";
import { type ProjectNews, projectNews } from "../../handoff/project-news.ts";
import { PROJECT_TRAIL } from "../session.ts";
import { loadIfAny } from "./unfinished.ts";

/** The rules, decisions and goal that hold for every session, and the checkpoint that they were read from. */
export interface ProjectWord {
  readonly head?: string | undefined;
  readonly entries: readonly ProjectEntry[];
}

export async function projectWord(cairn: Cairn, id?: string): Promise<ProjectWord> {
  const found = await loadIfAny(cairn, PROJECT_TRAIL, id === undefined ? {} : { id });
  if (found === undefined) return { entries: [] };
  const head = found.content_hash;
  return { head, entries: projectEntries(await markIfImported(cairn.store, head, found.state)) };
}

/** What a session does not know yet, given the checkpoint of the project's trail that it was last told of. */
export async function newsSince(
  cairn: Cairn,
  told: string | undefined,
  { entries }: ProjectWord,
): Promise<ProjectNews | undefined> {
  // A checkpoint that was pruned tells nothing: then all of it is told again.
  const known = told === undefined ? [] : (await projectWord(cairn, told)).entries;
  return projectNews(known, entries);
}
