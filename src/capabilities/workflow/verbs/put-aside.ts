import { elsewhereOf } from "../elsewhere.ts";
import { archiveRun } from "../runner/archive.ts";
import { cancelRun } from "../runner/cancel-run.ts";
import { cleanRuns, type CleanOptions, type CleanReport } from "../runner/clean-runs.ts";
import { readRun } from "../runner/examine-run.ts";
import { pauseRun } from "../runner/pause-run.ts";
import { cleanNotes } from "../../../work/project/commit-work.ts";
import { hasStore } from "../../../work/project/find-project.ts";
import type { Project } from "../../../work/project/project.ts";
import { refusePulled } from "../../../work/project/trust.ts";
import { openRun, openRuns } from "./open-runs.ts";
import { outcomeOf } from "./run-outcome.ts";

/** A run, by its id or the beginning of it. */
interface RunInput {
  readonly run: string;
}

/** Ends a run for good: running steps stop, and no others start. `was` is its status before. */
export async function runCancel(
  project: Project,
  { run: typed, reason }: RunInput & { readonly reason?: string | undefined },
) {
  const { workflows, id } = await openRun(project, typed, "write");
  const before = await readRun(workflows, id);
  await refusePulled(workflows, before.id);
  const { notes } = await cleanNotes(project, reason);
  const run = await cancelRun(workflows, before.id, { reason: notes });
  await (await elsewhereOf(project))?.move(workflows, run);
  return { run: outcomeOf(workflows, run), was: before.status };
}

/** Stops a run until it is resumed: what runs is ended, and no other step starts. */
export async function runPause(
  project: Project,
  { run: typed, reason }: RunInput & { readonly reason?: string | undefined },
) {
  const { workflows, id } = await openRun(project, typed, "write");
  await refusePulled(workflows, id);
  const { notes = "Paused by a user." } = await cleanNotes(project, reason);
  const run = await pauseRun(workflows, id, notes);
  await (await elsewhereOf(project))?.move(workflows, run);
  return { run: outcomeOf(workflows, run) };
}

/** Puts a run aside: it can be looked at, but not resumed. */
export async function runArchive(project: Project, { run: typed }: RunInput) {
  const { workflows, id: run } = await openRun(project, typed, "write");
  const { archived_as, wasArchived, isCorrupt, removed } = await archiveRun(workflows, run);
  return { run, archived_as, was_archived: wasArchived, is_corrupt: isCorrupt, removed };
}

/** Archives old failed runs and deletes what they printed; with `dryRun`, says what it would do. */
export async function runsClean(project: Project, options: CleanOptions): Promise<CleanReport> {
  const { dryRun = false } = options;
  if (!hasStore(project))
    return { dry_run: dryRun, removed: [], kept: [], dropped: [], bytes_freed: 0, report: null };
  return cleanRuns(await openRuns(project, dryRun ? "read" : "write"), options);
}
