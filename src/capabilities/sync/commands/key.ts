import * as verbs from "../remotes/remotes.ts";
import type { SyncCommand } from "../verbs.ts";
import { readNamed } from "../../../work/terminal/read-named.ts";

export const keyExport: SyncCommand<"key export"> = async (context, { remote }, output) => {
  const result = await verbs.keyExport(context.project, { remote });
  output.result(result, result.key.trimEnd());
};

export const keyImport: SyncCommand<"key import"> = async (context, { file }, output) => {
  const result = await verbs.keyImport(context.project, { key: await readNamed(context, file) });
  output.result(result, `Kept the key ${result.key_id}.`);
};
