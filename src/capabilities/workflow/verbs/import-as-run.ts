import { secretMemory } from "../../../work/project/settings/secret-memory.ts";
import type { ImportRecord } from "../../../core/trails/import-record.ts";
import { importTrigger } from "../../../work/import/merge-import.ts";
import type { Imported } from "../../../work/import/read-import.ts";
import { redactFresh } from "../../../core/redaction/redactor.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { runTrail } from "../../../work/state/run-trail.ts";
import { canBeRun, importPipeline, type PipelineImport } from "../runner/import-pipeline.ts";
import { cleanNotes, tell } from "../../../work/project/commit-work.ts";
import type { Project } from "../../../work/project/project.ts";
import { settingsOf } from "../../../work/project/settings/settings.ts";
import { rememberImport } from "../../../work/project/trust.ts";
import { findImportedFile, type ImportedFile } from "../../../work/project/maintenance/imported-files.ts";

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
  const clean = redactFresh(
    { fresh: { work: parts, pipeline: found }, notes: undefined },
    { ...settings, memory: secretMemory(project) },
  );
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
  top: string | undefined,
): FoundArtifacts {
  // Input from stdin has no folder to look in.
  if (pipeline === undefined || top === undefined) return { files: [], missing: [] };
  const found = pipeline.artifacts.map(({ path, step }) => ({
    path,
    step,
    ...findImportedFile(root, top, path),
  }));
  const those = (place: ImportedFile["place"]) => found.filter((each) => each.place === place);
  const missing = those("missing");
  for (const output of parts?.recent_outputs ?? [])
    if (missing.some(({ path }) => path === output.id))
      Object.assign(output, { action: "missing", success: false });
  const warn = (files: typeof found, what: string) => {
    const names = files.slice(0, 10).map(({ path }) => oneLine(path));
    if (files.length > 0)
      notices.warning(`${files.length} of ${found.length} artifacts are ${what}: ${names.join(", ")}`);
  };
  warn(missing, `not ${pipeline.artifactsAre}`);
  warn(those("outside"), "outside the project, and are not checked");
  return {
    files: those("in the project").map(({ recorded, step }) => ({ path: recorded, step })),
    missing: missing.map(({ recorded }) => recorded),
  };
}
