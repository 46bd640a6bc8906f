import type { Artifact } from "../../workflow/run/run-state.ts";
import { addArtifacts } from "../../workflow/runner/add-artifacts.ts";
import { findRunId } from "../../workflow/runner/find-run-id.ts";
import type { Project } from "../project.ts";
import type { InputOf } from "../schema-parts.ts";
import { openRuns } from "./open-runs.ts";
import type { ARTIFACTS_ADD } from "./schemas.ts";

export type ArtifactsAddInput = InputOf<typeof ARTIFACTS_ADD>;

export interface ArtifactsAddResult {
  readonly run: string;
  readonly artifacts: readonly Artifact[];
}

/** Registers files that a step of a run made but did not declare. */
export async function artifactsAdd(
  project: Project,
  { run, files, step }: ArtifactsAddInput,
): Promise<ArtifactsAddResult> {
  const workflows = await openRuns(project, "change");
  const id = await findRunId(workflows, run);
  return { run: id, artifacts: await addArtifacts(workflows, id, { files, step }) };
}
