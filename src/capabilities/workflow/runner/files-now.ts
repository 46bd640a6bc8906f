import type { WorkflowContext } from "../context.ts";
import { readFileFacts } from "../engine/artifacts.ts";
import type { Artifact } from "../run/run-state.ts";

/** Registered files as they are now. The hash of one that is gone is `missing`. */
export async function filesNow(
  { root }: Pick<WorkflowContext, "root">,
  registered: readonly Artifact[],
): Promise<Artifact[]> {
  const files: Artifact[] = [];
  for (const artifact of registered) {
    const { sha256, size_bytes } = (await readFileFacts(root, artifact.path)) ?? GONE;
    files.push({ ...artifact, sha256, size_bytes });
  }
  return files;
}

const GONE = { sha256: "missing", size_bytes: 0 };
