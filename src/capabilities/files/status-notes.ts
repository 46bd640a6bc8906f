import { oneLine } from "../../core/text/visible.ts";
import { count } from "../../work/state/words.ts";
import type { Project } from "../../work/project/project.ts";
import { LEFT_OUT } from "./snapshot/snapshot-file.ts";
import { filesOf, newestSnapshot } from "./snapshot/snapshots.ts";

/** More would crowd out the rest. */
const MOST_NAMED = 3;

/** Which files a rewind could not bring back; nothing where no files are kept. */
export async function statusNotes(project: Project): Promise<string[]> {
  const { store } = await project.stores.open(project, "read");
  const newest = await newestSnapshot(store, project);
  if (newest === undefined) return [];
  if (newest.failed !== null)
    return [`The files could not be kept when they were last looked at: ${oneLine(newest.failed)}.`];
  const repositories = newest.repositories.map(({ path }) => `${oneLine(path)} (a repository of its own)`);
  const files = newest.leftOut === 0 ? [] : [...(await filesOf(store, newest)).values()];
  const leftOut = files.flatMap(({ path, leftOut: out }) =>
    out === undefined ? [] : [`${oneLine(path)} (${LEFT_OUT[out.why]})`],
  );
  const all = [...leftOut, ...repositories];
  if (all.length === 0) return [];
  const more = all.length > MOST_NAMED ? ` and ${all.length - MOST_NAMED} more` : "";
  return [
    `${count(all.length, "file")} not covered by rewind: ${all.slice(0, MOST_NAMED).join(", ")}${more}`,
  ];
}
