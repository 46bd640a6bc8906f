import { addArtifacts } from "../runner/add-artifacts.ts";
import { CheckpointError } from "../../../core/errors.ts";
import { elsewhereOf } from "../elsewhere.ts";
import { type ArtifactList, listArtifacts } from "../runner/list-artifacts.ts";
import { readRun } from "../runner/examine-run.ts";
import type { Project } from "../../../work/project/project.ts";
import { openRun } from "./open-runs.ts";
import type { InputOf } from "../../../work/verbs/field.ts";
import type { RUNS } from "../run-verbs.ts";

export type ArtifactsAddInput = InputOf<(typeof RUNS)["artifacts add"]>;

export interface ArtifactsInput {
  readonly run: string;
  readonly verify?: boolean | undefined;
  /** Brings the files of a run of workers into the project first. */
  readonly fetch?: boolean | undefined;
}

/** The files that the steps of a run produced; with `verify`, compared with what is on disk now. */
export async function artifacts(
  project: Project,
  { run, verify = false, fetch = false }: ArtifactsInput,
): Promise<ArtifactList> {
  const { workflows, id } = await openRun(project, run, "read");
  const elsewhere = fetch ? await elsewhereOf(project) : undefined;
  if (elsewhere !== undefined)
    for (const artifact of Object.values((await readRun(workflows, id)).artifacts))
      await elsewhere.fetchFile(project.root, artifact);
  return listArtifacts(workflows, id, { verify });
}

/** Registers files that a step of a run made but did not declare. */
export async function artifactsAdd(project: Project, { run, files, step }: ArtifactsAddInput) {
  if (files.length === 0)
    throw new CheckpointError("usage", "No file is named, so there is nothing to register.", {
      hint: `checkpoint artifacts add ${run} FILE`,
    });
  const { workflows, id } = await openRun(project, run, "write");
  return { run: id, artifacts: await addArtifacts(workflows, id, { files, step }) };
}
