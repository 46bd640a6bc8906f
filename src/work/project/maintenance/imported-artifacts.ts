import { oneLine } from "../../../core/text/visible.ts";
import type { Imported } from "../../import/read-import.ts";
import type { Project } from "../project.ts";
import { findImportedFile, type ImportedFile } from "./imported-files.ts";

/** The artifacts of a pipeline of another tool. */
export interface FoundArtifacts {
  /** Those that are in the project, by their paths below its root. */
  readonly files: readonly { readonly path: string; readonly step: string }[];
  /** The paths of those that are not there. */
  readonly missing: readonly string[];
}

/** Which of a pipeline's artifacts exist. Warns about the others, and marks missing ones as such in its outputs. */
export function findArtifacts(
  { root, notices }: Project,
  { parts, pipeline }: Imported,
  top: string | undefined,
): FoundArtifacts {
  // Input from stdin has no folder to look in.
  if (pipeline === undefined || top === undefined) return { files: [], missing: [] };
  const found = pipeline.artifacts.map(({ path, step }) => ({
    path,
    step,
    ...findImportedFile(root, top, path),
  }));
  const those = (place: ImportedFile["place"]) => found.filter((each) => each.place === place);
  const missing = those("missing");
  for (const output of parts?.recent_outputs ?? [])
    if (missing.some(({ path }) => path === output.id))
      Object.assign(output, { action: "missing", success: false });
  const warn = (files: typeof found, what: string) => {
    const names = files.slice(0, 10).map(({ path }) => oneLine(path));
    if (files.length > 0)
      notices.warning(`${files.length} of ${found.length} artifacts are ${what}: ${names.join(", ")}`);
  };
  warn(missing, `not ${pipeline.artifactsAre}`);
  warn(those("outside"), "outside the project, and are not checked");
  return {
    files: those("in the project").map(({ recorded, step }) => ({ path: recorded, step })),
    missing: missing.map(({ recorded }) => recorded),
  };
}
