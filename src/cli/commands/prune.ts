import * as verbs from "../../project/keeping/prune.ts";
import { table } from "../columns.ts";
import type { CommandOf } from "../command.ts";
import type { Output } from "../output.ts";
import type { KEEPING } from "../table/keeping.ts";
import { bytes, count } from "../view/words.ts";

/** Remove old checkpoints, keeping the newest */
export const prune: CommandOf<typeof KEEPING.prune> = async (context, options, output) => {
  const { trail, all, keep, dryRun } = options;
  const onProgress = (done: number, total: number) =>
    output.progress(`Looking through ${done} of ${total} objects`);
  const result = await verbs.prune(context.project, { trail, all, keep, dryRun, onProgress });
  output.progress("");
  output.result(result, () => text(result, output));
};

const SHOWN = 20;

function text(
  { dry_run, kept, removed, bytes_freed }: verbs.PruneResult,
  { style, columns }: Output,
): string {
  const rows = [
    ...removed
      .slice(0, SHOWN)
      .map(({ checkpoint_id, trail, reason }) => [style.red("-"), checkpoint_id, trail, reason]),
    ...kept
      .slice(0, SHOWN)
      .map(({ checkpoint_id, trail, reasons }) => [
        style.green("="),
        checkpoint_id,
        trail,
        reasons.join(", "),
      ]),
  ];
  const more = Math.max(0, removed.length - SHOWN) + Math.max(0, kept.length - SHOWN);
  const verb = dry_run ? "would be removed" : "removed";
  const freed = dry_run ? "" : `; ${bytes(bytes_freed)} given back to the disk`;
  return [
    ...(rows.length > 0 ? [table(rows, columns)] : []),
    ...(more > 0 ? [style.dim(`  + ${more} more: --json lists them all`)] : []),
    `${count(removed.length, "checkpoint")} ${verb}, ${kept.length} kept${freed}.`,
  ].join("\n");
}
