import type { WorkflowContext } from "../context.ts";
import type { Artifact } from "../run/run-state.ts";
import { compareArtifacts } from "./compare-artifacts.ts";
import { readRun } from "./examine-run.ts";

export interface ListedArtifact extends Artifact {
  /** Only with `verify`. */
  readonly state?: "intact" | "missing" | "changed";
  /** How to make a file again that is not intact. */
  readonly remedy?: string;
}

export interface ArtifactList {
  readonly run: string;
  readonly artifacts: readonly ListedArtifact[];
  /** Files of dropped results: their content is no longer vouched for. */
  readonly stale_files: readonly string[];
}

/** The files that the steps of a run produced; with `verify`, compared with what is on disk now. */
export async function listArtifacts(
  context: Pick<WorkflowContext, "cairn" | "root">,
  id: string,
  { verify = false } = {},
): Promise<ArtifactList> {
  const run = await readRun(context, id);
  const { current } = verify ? await compareArtifacts(context, run) : { current: undefined };
  const artifacts = Object.values(run.artifacts).map((artifact): ListedArtifact => {
    if (current === undefined) return artifact;
    const now = current.get(artifact.path);
    if (now === artifact.sha256) return { ...artifact, state: "intact" };
    return {
      ...artifact,
      state: now === undefined ? "missing" : "changed",
      remedy: `checkpoint resume ${id} --redo ${artifact.step}`,
    };
  });
  return { run: id, artifacts, stale_files: run.stale_files ?? [] };
}
