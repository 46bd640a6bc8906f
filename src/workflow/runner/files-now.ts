import type { Step } from "../definition/types.ts";
import type { WorkflowContext } from "../context.ts";
import { readFacts } from "../engine/artifacts.ts";
import { artifactsBefore } from "../run/approval.ts";
import type { Artifact, Run } from "../run/run-state.ts";

/** The files that a question is about, as they are now, and those that differ from the registry. */
export async function filesNow({ root }: Pick<WorkflowContext, "root">, run: Run, step: Step) {
  const files: Artifact[] = [];
  const changed: Artifact[] = [];
  for (const artifact of artifactsBefore(run, step)) {
    const facts = await readFacts(root, artifact.path);
    const now = { ...artifact, sha256: facts?.sha256 ?? "missing", size_bytes: facts?.size_bytes ?? 0 };
    files.push(now);
    if (now.sha256 !== artifact.sha256) changed.push(now);
  }
  return { files, changed };
}
