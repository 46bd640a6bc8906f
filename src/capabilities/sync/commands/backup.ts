import { resolve } from "node:path";
import * as verbs from "../verbs/backup.ts";
import type { SyncCommand } from "../verbs.ts";
import { bytes, count } from "../../../work/state/words.ts";

export const backup: SyncCommand<"backup"> = async (context, { file }, output) => {
  const onProgress = (done: number, total: number) => output.progress(`Copied ${done} of ${total} pages`);
  const result = await verbs.backup(context.project, { file: resolve(context.cwd, file), onProgress });
  const { checkpoints, trails, bytes: size } = result;
  output.result(
    result,
    `Wrote ${result.file} (${bytes(size)}): ${count(checkpoints, "checkpoint")} in ${count(trails, "trail")}, each byte checked.`,
  );
};

export const backupRestore: SyncCommand<"backup restore"> = async (context, { file }, output) => {
  const result = await verbs.backupRestore(context.project, { file: resolve(context.cwd, file) });
  const { checkpoints, trails } = result;
  output.result(
    result,
    `Brought back ${count(checkpoints, "checkpoint")} in ${count(trails, "trail")}, each byte checked.`,
  );
};
