import { existsSync } from "node:fs";
import { join } from "node:path";
import { recordedPath } from "../../../work/machine/recorded-path.ts";
import { CheckpointError } from "../../../core/errors.ts";
import {
  noteProgress,
  type ProgressContext,
  type ProgressNoteOptions,
  PROGRESS_FOLDER,
} from "../../../work/progress/note-progress.ts";
import { checkName } from "../../../work/progress/progress.ts";
import { scanProgress, type ProgressScan } from "../../../work/progress/scan-progress.ts";
import { cleanNotes } from "../../../work/project/commit-work.ts";
import type { Project } from "../../../work/project/project.ts";
import { meaningful } from "../../../work/project/sentence.ts";
import { redactorOf } from "../../../work/project/settings/settings.ts";

export interface ProgressNoteInput extends Omit<ProgressNoteOptions, "agent" | "feature"> {
  readonly feature?: string | undefined;
}

/** Notes what the agent that acts did: a checkpoint, and its progress file. */
export async function progressNote(project: Project, input: ProgressNoteInput) {
  const { team, phase, status, milestone } = input;
  const said = meaningful(input.text, "The note");
  const feature = input.feature ?? missing("--feature", "what is worked on");
  const agent = project.actor.agentId ?? missing("--agent", "who did it");
  // Before a store is made for them.
  checkName("feature", feature);
  checkName("agent", agent);
  if (team !== undefined) checkName("team", team);
  const progress = await openProgress(project);
  const { notes: text = said } = await cleanNotes(project, said);
  const noted = await noteProgress(progress, { feature, agent, text, team, phase, status, milestone });
  return {
    checkpoint: noted.checkpoint,
    file: recordedPath(progress.root, noted.file),
    progress: noted.progress,
  };
}

function missing(option: string, what: string): never {
  throw new CheckpointError("usage", `checkpoint progress note needs ${option}: ${what}.`, {
    hint: 'checkpoint progress note --feature login --agent tester "Wrote the first test"',
    details: { option },
  });
}

/** Reads in what agents wrote into their progress files by hand. Without such files, no store is made. */
export async function progressScan(project: Project): Promise<ProgressScan> {
  if (!existsSync(join(project.root, PROGRESS_FOLDER))) return { found: [], problems: [] };
  return scanProgress(await openProgress(project));
}

/** The store, for progress files. What agents wrote by hand is searched for secrets before it is stored. */
async function openProgress(project: Project): Promise<ProgressContext> {
  const cairn = await project.stores.open(project, "create", "work.progress");
  return { cairn, root: project.root, now: project.now, redactor: await redactorOf(project) };
}
