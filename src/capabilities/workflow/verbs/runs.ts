import type { ResumePlan } from "../run/resume-plan.ts";
import type { ResumeVerdict } from "../run/resume-check.ts";
import { findRuns, resumePlan as planOf, type RunSummary } from "../runner/find-runs.ts";
import { hasStore } from "../../../work/project/find-project.ts";
import type { Project } from "../../../work/project/project.ts";
import { openRun, openRuns } from "./open-runs.ts";
import type { InputOf } from "../../../work/verbs/field.ts";
import type { RUNS } from "../run-verbs.ts";

export type RunsInput = InputOf<(typeof RUNS)["runs"]>;

/** How many runs are listed unless more are asked for. */
export const LISTED = 50;

/** The newest runs of workflows in this project, the one that moved last first. */
export async function runs(project: Project, input: RunsInput): Promise<RunSummary[]> {
  if (!hasStore(project)) return [];
  const { all = false, limit = all ? undefined : LISTED, ...others } = input;
  return findRuns(await openRuns(project, "read"), { ...others, limit });
}

/** What resuming a run would do, and whether anything speaks against it. Changes nothing. */
export async function resumePlan(
  project: Project,
  { run }: { readonly run: string },
): Promise<ResumePlan & { readonly resume_check: ResumeVerdict }> {
  const { workflows, id } = await openRun(project, run, "read");
  return planOf(workflows, id);
}
