import { oneLine } from "../../../core/text/visible.ts";
import { bytes } from "../../../work/state/words.ts";
import type { Artifact } from "../run/run-state.ts";
import type { Style } from "../../../work/terminal/output.ts";

/** A file that a step made, in a table: its path, its size and the step. */
export function artifactRow(
  { path, size_bytes, step }: Pick<Artifact, "path" | "size_bytes" | "step">,
  { dim }: Style,
): string[] {
  return [oneLine(path), bytes(size_bytes), dim(`by ${oneLine(step)}`)];
}
