import { secretMemory } from "../../../work/project/settings/secret-memory.ts";
import { importTrigger } from "../../../work/import/merge-import.ts";
import { redactFresh } from "../../../core/redaction/redactor.ts";
import { runTrail } from "../../../work/state/run-trail.ts";
import { canBeRun, importPipeline } from "../runner/import-pipeline.ts";
import { cleanNotes, tell } from "../../../work/project/commit-work.ts";
import type { Project } from "../../../work/project/project.ts";
import { settingsOf } from "../../../work/project/settings/settings.ts";
import { rememberImport } from "../../../work/project/trust.ts";
import type { FoundPipeline, MadeRun } from "../../../work/project/runs.ts";

/** Makes a run of the pipeline that a file describes; undefined if it describes none that could be one. */
export async function importAsRun(
  project: Project,
  { imported: { parts = {}, pipeline: found, notes: why }, artifacts, record }: FoundPipeline,
): Promise<MadeRun | undefined> {
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
