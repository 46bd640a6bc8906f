import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";

import { openCairn } from "../../src/checkpoints/cairn.ts";

const folder = mkdtempSync(join(tmpdir(), "cairn-verify-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A closed store with so many short states, and the last key of its index. */
async function storeOf(states: number): Promise<{ path: string; lastKey: Buffer }> {
  const path = join(folder, `${states}`, "store.sqlite");
  const cairn = await openCairn({ path: dirname(path) });
  const trail = cairn.trail<{ n: number }>("main");
  for (let n = 0; n < states; n++) await trail.commit({ n });
  await cairn.close();
  const db = new DatabaseSync(path, { readOnly: true });
  const lastKey = Buffer.from(db.prepare("SELECT max(hash) AS hash FROM ids").get()?.["hash"] as Uint8Array);
  db.close();
  return { path, lastKey };
}

describe("verify of a damaged index", () => {
  // Fewer objects than a page holds, and more: the last page begins again at the damaged key.
  it.each([20, 400])("comes to an end when the last key of %i checkpoints is damaged", async (states) => {
    const { path, lastKey } = await storeOf(states);
    const bytes = readFileSync(path);
    const at = bytes.lastIndexOf(lastKey);
    bytes[at] = 0x01;
    writeFileSync(path, bytes);
    const cairn = await openCairn({ path: dirname(path) });
    const { damage } = await cairn.verify();
    await cairn.close();
    expect(damage.filter(({ kind }) => kind === "damaged")).toHaveLength(1);
  });
});
