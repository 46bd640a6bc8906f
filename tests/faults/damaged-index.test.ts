import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";

import { openCairn } from "../../src/work/state/cairn.ts";

const folder = mkdtempSync(join(tmpdir(), "cairn-verify-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A closed store with so many short states, and the places in its file that hold the last key of the index. */
async function storeOf(states: number): Promise<{ path: string; places: number[] }> {
  const path = join(folder, `${states}`, "store.sqlite");
  const cairn = await openCairn({ path: dirname(path) });
  const trail = cairn.trail<{ n: number }>("main");
  for (let n = 0; n < states; n++) await trail.commit({ n });
  await cairn.close();
  const db = new DatabaseSync(path, { readOnly: true });
  const key = Buffer.from(db.prepare("SELECT max(hash) AS hash FROM ids").get()?.["hash"] as Uint8Array);
  db.close();
  const bytes = readFileSync(path);
  const places: number[] = [];
  for (let at = bytes.indexOf(key); at >= 0; at = bytes.indexOf(key, at + 1)) places.push(at);
  return { path, places };
}

async function verified(path: string): Promise<number> {
  const cairn = await openCairn({ path: dirname(path) });
  const { damage } = await cairn.verify();
  await cairn.close();
  return damage.filter(({ kind }) => kind === "damaged").length;
}

describe("verify of a damaged index", () => {
  // Fewer objects than a page holds, and more: the last page begins again at the damaged key.
  it.each([20, 400])("comes to an end when the last key of %i checkpoints is damaged", async (states) => {
    const { path, places } = await storeOf(states);
    const sound = readFileSync(path);
    const found: number[] = [];
    // Other rows name the same object. One of the places is the index.
    for (const place of places) {
      const bytes = Buffer.from(sound);
      bytes[place] = 0x01;
      writeFileSync(path, bytes);
      found.push(await verified(path));
    }
    expect(found).toContain(1);
  });
});
