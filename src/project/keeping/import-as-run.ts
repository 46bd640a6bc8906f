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

type PipelineFiles = PipelineImport["files"];

/** Makes a run of the pipeline that a file describes; undefined if it describes none that could be one. */
export async function importAsRun(
  project: Project,
  {
    imported: { parts = {}, pipeline: found, notes: why },
    files,
    record,
  }: { readonly imported: Imported; readonly files: PipelineFiles; readonly record: ImportRecord },
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
    { pipeline, work, files, record },
    notes,
  );
  await rememberImport({ ...project, cairn }, run.id);
  tell(project, clean);
  return { checkpoint, run: run.id };
}

/** Which of the files that a pipeline names are there. Those that are not are named, and no longer called created. */
export function findArtifacts(
  { root, notices }: Project,
  { parts, pipeline }: Imported,
  folder: string | undefined,
): PipelineFiles {
  if (pipeline === undefined) return [];
  const top = pipeline.artifactsAre === "in the project" ? root : folder;
  // Input from stdin has no folder to look in.
  if (top === undefined) return [];
  const isThere = ({ path }: PipelineFiles[number]) => {
    const file = resolve(top, path);
    return isInside(top, file) && (statSync(file, { throwIfNoEntry: false })?.isFile() ?? false);
  };
  const missing = pipeline.artifacts.filter((file) => !isThere(file)).map(({ path }) => path);
  for (const output of parts?.recent_outputs ?? [])
    if (missing.includes(output.id)) Object.assign(output, { action: "missing", success: false });
  if (missing.length > 0) {
    const names = missing.map((path) => oneLine(path)).slice(0, 10);
    const place = top === root ? "in the project" : "beside the file";
    notices.warning(
      `${missing.length} of ${pipeline.artifacts.length} artifacts are not ${place}: ${names.join(", ")}`,
    );
  }
  // A link could lead anywhere, and only what is in the project can be checked again later.
  const isOfProject = (path: string) => isInside(realpathSync(root), realpathSync(path));
  return pipeline.artifacts
    .filter(isThere)
    .map(({ path, step }) => ({ path: resolve(top, path), step }))
    .filter(({ path }) => isOfProject(path))
    .map(({ path, step }) => ({ path: recordedPath(root, path), step }));
}
