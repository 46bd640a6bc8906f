import { resolve } from "node:path";
import { MISSING, readBounded } from "../machine/read-bounded.ts";
import { CheckpointError } from "../../core/errors.ts";
import type { Context } from "./context.ts";

/** Keys, anchors and statements are a few hundred bytes. */
const MAX_BYTES = 2 ** 20;

/** The text of a small file that was named as an argument, or of stdin for `-`. A pipe or a device is refused, not waited for. */
export async function readNamed(context: Context, file: string): Promise<string> {
  if (file === "-") return Buffer.from(await context.readInput()).toString("utf8");
  const { bytes, problem } = readBounded(resolve(context.cwd, file), MAX_BYTES);
  if (bytes !== undefined) return bytes.toString("utf8");
  throw problem === MISSING
    ? new CheckpointError("not-found", `"${file}" does not exist.`, { hint: "Check the path." })
    : new CheckpointError("usage", `"${file}" cannot be read: ${problem}.`, {
        hint: "Give the path of a file.",
        details: { file },
      });
}
