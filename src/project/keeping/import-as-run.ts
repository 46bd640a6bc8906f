import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { isInside, recordedPath } from "../../capture/files/recorded-path.ts";
import type { ImportRecord } from "../../checkpoints/import-record.ts";
import { importTrigger } from "../../checkpoints/transfer/merge-import.ts";
import type { Imported } from "../../checkpoints/transfer/read-import.ts";
import { redactFresh } from "../../redaction/redactor.ts";
import { oneLine } from "../../text/visible.ts";
import { runTrail } from "../../workflow/run/run-state.ts";
import { canBeRun, importPipeline, type PipelineImport } from "../../workflow/runner/import-pipeline.ts";
import { cleanNotes, tell } from "../commit-work.ts";
import type { Project } from "../project.ts";
import { settingsOf } from "../settings/settings.ts";
import { rememberImport } from "../trust.ts";

type FoundArtifacts = Pick<PipelineImport, "files" | "missing">;

/** Makes a run of the pipeline that a file describes; undefined if it describes none that could be one. */
export async function importAsRun(
  project: Project,
  {
    imported: { parts = {}, pipeline: found, notes: why },
    artifacts,
    record,
  }: { readonly imported: Imported; readonly artifacts: FoundArtifacts; readonly record: ImportRecord },
) {
  if (found === undefined) return undefined;
  const settings = await settingsOf(project);
  const clean = redactFresh({ fresh: { work: parts, pipeline: found }, notes: undefined }, settings);
  const { work, pipeline } = clean.fresh;
  // Redaction may have replaced a name.
  if (!canBeRun(pipeline)) return undefined;
  const notes = {
    ...(await cleanNotes(project, why, runTrail(pipeline.id))),
    trigger: importTrigger(record.trusted),
  };
  const cairn = await project.stores.open(project, "create", "keep.import");
  const { run, checkpoint } = await importPipeline(
    { ...project, cairn },
    { pipeline, work, ...artifacts, record },
    notes,
  );
  await rememberImport({ ...project, cairn }, run.id);
  tell(project, clean);
  return { checkpoint, run: run.id, isComplete: run.status === "completed" };
}

/** Which of a pipeline's artifacts exist. Warns about the others, and marks missing ones as such in its outputs. */
export function findArtifacts(
  { root, notices }: Project,
  { parts, pipeline }: Imported,
  folder: string | undefined,
): FoundArtifacts {
  const top = pipeline?.artifactsAre === "in the project" ? root : folder;
  // Input from stdin has no folder to look in.
  if (pipeline === undefined || top === undefined) return { files: [], missing: [] };
  const placed = pipeline.artifacts.map(({ path, step }) => ({
    path,
    step,
    place: placeOf(root, top, path),
  }));
  const pathsOf = (place: ArtifactPlace) =>
    placed.filter((each) => each.place === place).map(({ path }) => path);
  const missing = pathsOf("missing");
  for (const output of parts?.recent_outputs ?? [])
    if (missing.includes(output.id)) Object.assign(output, { action: "missing", success: false });
  const warn = (paths: readonly string[], what: string) => {
    const names = paths.slice(0, 10).map((path) => oneLine(path));
    if (paths.length > 0)
      notices.warning(`${paths.length} of ${placed.length} artifacts are ${what}: ${names.join(", ")}`);
  };
  warn(missing, `not ${top === root ? "in the project" : "beside the file"}`);
  warn(pathsOf("outside"), "outside the project, and are not checked");
  const recorded = (path: string) => recordedPath(root, resolve(top, path));
  return {
    files: placed
      .filter(({ place }) => place === "in the project")
      .map(({ path, step }) => ({ path: recorded(path), step })),
    missing: missing.map(recorded),
  };
}

type ArtifactPlace = "in the project" | "outside" | "missing";

/** A link could lead anywhere, and only files in the project can be checked again later. */
function placeOf(root: string, top: string, path: string): ArtifactPlace {
  const file = resolve(top, path);
  if (!isInside(top, file) && !isInside(root, file)) return "outside";
  if (!(statSync(file, { throwIfNoEntry: false })?.isFile() ?? false)) return "missing";
  return isInside(realpathSync(root), realpathSync(file)) ? "in the project" : "outside";
}
