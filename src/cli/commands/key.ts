import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import * as verbs from "../../project/remotes/remotes.ts";
import type { CommandOf } from "../command.ts";

export const keyExport: CommandOf<"key export"> = async (context, { remote }, output) => {
  const result = await verbs.keyExport(context.project, { remote });
  output.result(result, result.key.trimEnd());
};

export const keyImport: CommandOf<"key import"> = async (context, { file }, output) => {
  const bytes = file === "-" ? await context.readInput() : await readStart(resolve(context.cwd, file));
  const result = await verbs.keyImport(context.project, { key: Buffer.from(bytes).toString("utf8") });
  output.result(result, `Kept the key ${result.key_id}.`);
};

/** More than any key has. A device may have no end. */
const MOST_BYTES = 1024;

async function readStart(path: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of createReadStream(path, { end: MOST_BYTES - 1 })) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}
