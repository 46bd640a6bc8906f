import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import * as verbs from "../../project/remotes/remotes.ts";
import type { CommandOf } from "../command.ts";

export const keyExport: CommandOf<"key export"> = async (context, { remote }, output) => {
  const result = await verbs.keyExport(context.project, { remote });
  output.result(result, result.key.trimEnd());
};

export const keyImport: CommandOf<"key import"> = async (context, { file }, output) => {
  const bytes = file === "-" ? await context.readInput() : await readFile(resolve(context.cwd, file));
  const result = await verbs.keyImport(context.project, { key: Buffer.from(bytes).toString("utf8") });
  output.result(result, `Kept the key ${result.key_id}.`);
};
