import * as verbs from "../../../work/project/maintenance/prune.ts";
import type { CommandOf } from "../command.ts";
import type { Output } from "../../../work/terminal/output.ts";
import { removedAndKept } from "../../../work/terminal/removed-and-kept.ts";
import { bytes, count } from "../../../work/state/words.ts";

export const prune: CommandOf<"prune"> = async (context, options, output) => {
  const { trail, all, keep, dryRun } = options;
  const onProgress = (done: number, total: number) =>
    output.progress(`Looking through ${done} of ${total} objects`);
  const result = await verbs.prune(context.project, { trail, all, keep, dryRun, onProgress });
  output.result(result, () => text(result, output));
};

function text({ dry_run, kept, removed, bytes_freed }: verbs.PruneResult, output: Output): string {
  const verb = dry_run ? "would be removed" : "removed";
  const freed = dry_run ? "" : `; ${bytes(bytes_freed)} freed on disk`;
  return [
    ...removedAndKept(
      removed.map(({ checkpoint_id, trail, reason }) => [checkpoint_id, trail, reason]),
      kept.map(({ checkpoint_id, trail, reasons }) => [checkpoint_id, trail, reasons.join(", ")]),
      output,
    ),
    `${count(removed.length, "checkpoint")} ${verb}, ${kept.length} kept${freed}.`,
  ].join("\n");
}
