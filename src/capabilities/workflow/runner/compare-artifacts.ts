import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { WorkflowContext } from "../context.ts";
import { findOutputs, readFileFacts } from "../engine/artifacts.ts";
import { stateOf, type Artifact, type Run } from "../run/run-state.ts";

/** Which of the registered files are missing, which have changed, and which have been missing since an import. */
export async function compareArtifacts({ root }: Pick<WorkflowContext, "root">, run: Run) {
  const current = new Map<string, string | undefined>();
  const missing: Artifact[] = [];
  const changed: Artifact[] = [];
  for (const artifact of Object.values(run.artifacts)) {
    if (run.runs_on === "workers") {
      // Its files are in the store, by their hashes; what lies in this folder is another copy at best.
      current.set(artifact.path, artifact.sha256);
      continue;
    }
    const facts = await readFileFacts(root, artifact.path);
    current.set(artifact.path, facts?.sha256);
    if (facts === undefined) missing.push(artifact);
    else if (
      facts.sha256 !== artifact.sha256 &&
      !isQuestioned(run, artifact) &&
      !isRewritten(root, run, artifact)
    )
      changed.push(artifact);
  }
  const missingSinceImport = (run.missing_at_import ?? []).filter((path) => !existsSync(resolve(root, path)));
  return { current, missing, changed, missingSinceImport };
}

/** Whether a question about the file is open, or was answered and not used yet: then it is asked again, which blocks nothing. */
function isQuestioned(run: Run, { step }: Artifact): boolean {
  return run.definition.some((other) => {
    const { status, decision } = stateOf(run, other.id);
    const isOpen =
      status === "awaiting_approval" ||
      (status === "completed" &&
        decision !== undefined &&
        run.definition.every(
          (later) => !later.needs.includes(other.id) || stateOf(run, later.id).attempt === 0,
        ));
    return other.kind === "approval" && isOpen && other.needs.includes(step);
  });
}

/** Whether a step that was interrupted writes the same file, and so will write it again. */
function isRewritten(root: string, run: Run, { path }: Artifact): boolean {
  return run.definition.some((step) => {
    const { status, attempt } = stateOf(run, step.id);
    if (attempt === 0 || status === "completed" || step.outputs === undefined) return false;
    return findOutputs(step.outputs, root).paths.includes(path);
  });
}
