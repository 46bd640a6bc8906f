import { CheckpointError } from "../../../core/errors.ts";
import type { Project } from "../../../work/project/project.ts";
import type { InputOf } from "../../../work/verbs/field.ts";
import { momentAt } from "../moments/authors.ts";
import { compare } from "../moments/compare.ts";
import { findMoment, knownMoments, shownMoment } from "../moments/known-moments.ts";
import { type FileSide, readSides, sideOf } from "../moments/sides.ts";
import type { SnapshotFile } from "../snapshot/snapshot-file.ts";
import { filesOf } from "../snapshot/snapshots.ts";
import { withTree } from "../tree/hold-tree.ts";
import type { FilesTable } from "../verbs.ts";

/** The moments whose files are known, newest first; of one file, those with another version than before. */
export async function filesLog(project: Project, { path, limit = 30 }: InputOf<FilesTable["files log"]>) {
  const { store, list } = await knownMoments(project);
  if (path === undefined)
    return { moments: list.slice(0, limit).map((each) => ({ ...shownMoment(each), version: null })) };
  const moments = [];
  let before: string | undefined;
  for (const snapshot of list.toReversed()) {
    if (snapshot.failed !== null) continue;
    const version = versionOf((await filesOf(store, snapshot)).get(path));
    if (version !== before) moments.push({ ...shownMoment(snapshot), version });
    before = version;
  }
  return { moments: moments.slice(-limit).toReversed() };
}

/** The beginning of its content's name tells versions apart. */
function versionOf(file: SnapshotFile | undefined): string {
  if (file === undefined) return "as committed";
  if (file.leftOut) return `not stored (${file.leftOut.why})`;
  return file.now ? (file.now.pieces[0]?.slice(0, 8) ?? "empty") : "deleted";
}

const NOTHING = { head: null, files: new Map() };

/** A file as it was at a moment, byte for byte. */
export async function filesShow(project: Project, { id, path }: InputOf<FilesTable["files show"]>) {
  const known = await knownMoments(project);
  const { head, files } = await momentAt(known.store, await findMoment(known, id));
  return withTree(project, async (tree) => {
    const file = files.get(path);
    // A file that is not listed was as its commit has it.
    const committed = file ? [] : await compare(tree, NOTHING, { head, files: NOTHING.files });
    const side: FileSide = file
      ? sideOf(file)
      : (committed.find((each) => each.path === path)?.to ?? { kind: "absent" });
    const content = (await readSides(tree, [{ path, side }], known.store.readObjects.bind(known.store))).get(
      side,
    );
    if (side.kind === "unknown") throw notThere(path, `its content is not stored: ${side.why}`);
    if (side.kind === "absent" || content === undefined)
      throw notThere(path, file ? "it was deleted" : "neither the snapshot nor its commit has it");
    const { mode } = side.kind === "stored" ? side.version : side;
    return { path, mode, size: content.length, base64: content.toString("base64") };
  });
}

function notThere(path: string, why: string): CheckpointError {
  return new CheckpointError("not-found", `"${path}" cannot be shown: ${why}.`, {
    hint: `To see its versions: checkpoint files log`,
    details: { path },
  });
}
