import { CheckpointError } from "../../../core/errors.ts";
import type { Project } from "../../../work/project/project.ts";
import type { InputOf } from "../../../work/verbs/field.ts";
import { compare, momentOf, readBlobs } from "../compare/compare.ts";
import { contentOf } from "../compare/content.ts";
import { findMoment, knownSnapshots, refuseFailed } from "../compare/find-moment.ts";
import { LEFT_OUT } from "../snapshot/snapshot-file.ts";
import { filesOf } from "../snapshot/snapshots.ts";
import { filesFolder, lookedTree } from "../tree.ts";
import type { FilesTable } from "../verbs.ts";

/** A file as it was at a moment, byte for byte. */
export async function filesShow(project: Project, { id, path }: InputOf<FilesTable["files show"]>) {
  const known = await knownSnapshots(project);
  const snapshot = refuseFailed(await findMoment(project, known, id));
  const files = await filesOf(known.store, snapshot);
  const file = files.get(path);
  if (file?.leftOut) throw notThere(path, `its content is not stored: ${LEFT_OUT[file.leftOut.why]}`);
  if (file?.now) return shown(path, file.now.mode, await contentOf(known.store, file.now));
  if (file) throw notThere(path, "it was deleted");
  // A file that is not listed was as its commit has it.
  const tree = lookedTree(project, filesFolder(project));
  const commit = { ...momentOf(snapshot, files), files: new Map() };
  const [change] = (await compare(tree, { head: null, files: new Map() }, commit)).filter(
    (each) => each.path === path,
  );
  const side = change?.to ?? { kind: "absent" as const };
  const content = (await readBlobs(tree, [{ path, side }])).get(path);
  if (side.kind !== "blob" || content === undefined)
    throw notThere(path, "neither the snapshot nor its commit has it");
  return shown(path, side.mode, content);
}

function shown(path: string, mode: string, content: Buffer) {
  return { path, mode, size: content.length, base64: content.toString("base64") };
}

function notThere(path: string, why: string): CheckpointError {
  return new CheckpointError("not-found", `"${path}" cannot be shown: ${why}.`, {
    hint: `To see its versions: checkpoint files log`,
    details: { path },
  });
}
