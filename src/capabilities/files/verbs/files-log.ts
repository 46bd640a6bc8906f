import type { Project } from "../../../work/project/project.ts";
import type { InputOf } from "../../../work/verbs/field.ts";
import { knownSnapshots } from "../compare/find-moment.ts";
import type { SnapshotFile } from "../snapshot/snapshot-file.ts";
import { filesOf } from "../snapshot/snapshots.ts";
import type { FilesTable } from "../verbs.ts";
import { shownMoment } from "./shown-moment.ts";

/** The moments whose files are known, newest first; of one file, those with another version than before. */
export async function filesLog(project: Project, { path, limit = 30 }: InputOf<FilesTable["files log"]>) {
  const { store, list } = await knownSnapshots(project);
  if (path === undefined)
    return { moments: list.slice(0, limit).map((each) => ({ ...shownMoment(each), version: null })) };
  const versions = [];
  let before: string | undefined;
  for (const snapshot of list.toReversed()) {
    if (snapshot.failed !== null) continue;
    const version = versionOf((await filesOf(store, snapshot)).get(path));
    if (version !== before) versions.push({ ...shownMoment(snapshot), version });
    before = version;
  }
  return { moments: versions.slice(-limit).toReversed() };
}

/** The beginning of its content's name tells versions apart. */
function versionOf(file: SnapshotFile | undefined): string {
  if (file === undefined) return "as committed";
  if (file.leftOut) return `not stored (${file.leftOut.why})`;
  return file.now ? (file.now.pieces[0]?.slice(0, 8) ?? "empty") : "deleted";
}
