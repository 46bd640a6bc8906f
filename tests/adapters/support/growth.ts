import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import { type Cairn, openCairn } from "../../../src/work/state/cairn.ts";
import { STORE_FILE } from "../../../src/core/trails/store-file.ts";

/** By how many bytes a store's file grows while it is used: what is on the disk, not what was handed over. */
export async function growth(path: string, use: (cairn: Cairn) => Promise<void>): Promise<number> {
  const sizeNow = async () => {
    const cairn = await openCairn({ path });
    // Closing writes what is still in the log into the file.
    await cairn.close();
    return statSync(join(path, STORE_FILE)).size;
  };
  const before = await sizeNow();
  const cairn = await openCairn({ path });
  await use(cairn);
  await cairn.close();
  return (await sizeNow()) - before;
}

/** About half a kilobyte that is the same each time and does not compress well. */
export function text(seed: number): string {
  return Array.from({ length: 12 }, (_, n) =>
    createHash("sha256").update(`${seed} ${n}`).digest("base64"),
  ).join(" ");
}
