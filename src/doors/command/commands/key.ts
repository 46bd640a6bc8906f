import * as verbs from "../../../capabilities/sync/remotes/remotes.ts";
import type { CommandOf } from "../command.ts";
import { readNamed } from "../read-named.ts";

export const keyExport: CommandOf<"key export"> = async (context, { remote }, output) => {
  const result = await verbs.keyExport(context.project, { remote });
  output.result(result, result.key.trimEnd());
};

export const keyImport: CommandOf<"key import"> = async (context, { file }, output) => {
  const result = await verbs.keyImport(context.project, { key: await readNamed(context, file) });
  output.result(result, `Kept the key ${result.key_id}.`);
};
