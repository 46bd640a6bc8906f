import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { openCairn, openUnguarded } from "../src/work/state/cairn.ts";
import type { ObjectId } from "../src/core/objects/object-id.ts";
import { list, openProject } from "../src/doors/library/project.ts";
import type { StoredCheckpoint, Tombstone } from "../src/core/store/contract.ts";

const OLD = join(import.meta.dirname, "old-stores");

/** What the program that made the store said of it. */
interface Expected {
  readonly identity: string;
  readonly trails: Record<string, Pick<StoredCheckpoint, "id" | "parent" | "createdAt" | "sequence">[]>;
  readonly records: Record<ObjectId, Record<string, string>>;
  readonly tombstones: Record<ObjectId, Tombstone>;
}

describe.each(["format-1", "format-2"])("a store of %s", (format) => {
  const expected = JSON.parse(readFileSync(join(OLD, `${format}.json`), "utf8")) as Expected;
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "cairn-old-"));
    copyFileSync(join(OLD, `${format}.sqlite`), join(folder, "store.sqlite"));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it("is brought over when it is opened for writing, with everything in it", async () => {
    // Its log has entries, so that only the project writes to it.
    const cairn = await openUnguarded({ path: folder });
    expect((await cairn.store.identity()).id).toBe(expected.identity);
    expect((await cairn.trails()).map(({ name }) => name)).toEqual(Object.keys(expected.trails));
    for (const [name, places] of Object.entries(expected.trails)) {
      const history = await cairn.store.history(name);
      expect(history).toMatchObject(places);
      for (const { id } of history) await cairn.trail(name).load(id);
    }
    for (const [id, tombstone] of Object.entries(expected.tombstones))
      expect(await cairn.store.tombstone(id as ObjectId)).toEqual(tombstone);
    for (const [id, records] of Object.entries(expected.records)) {
      const attached = await cairn.store.attachments([id as ObjectId]);
      const texts = Array.from(attached.get(id as ObjectId) ?? [], ([key, value]) => [
        key,
        new TextDecoder().decode(value),
      ]);
      expect(Object.fromEntries(texts)).toEqual(records);
    }
    expect(await cairn.store.find({ trail: "thread/1", foreignId: "1ef4" })).toHaveLength(1);
    expect((await cairn.verify()).damage).toEqual([]);
    await cairn
      .trail<{ goal?: string }>("main", { initial: {} })
      .commit((state) => void (state.goal = "next"));
    await cairn.sweep();
    expect((await cairn.verify()).damage).toEqual([]);
    await cairn.close();
  });

  it("is left alone, and said to be old, when it is opened to read", async () => {
    const before = readFileSync(join(folder, "store.sqlite"));
    await expect(openCairn({ path: folder, readOnly: true })).rejects.toMatchObject({
      code: "refused",
      message: expect.stringContaining("older version") as string,
    });
    expect(readFileSync(join(folder, "store.sqlite")).equals(before)).toBe(true);
  });

  it("is brought over by whoever reads it first through the command's door", async () => {
    const root = join(folder, "project");
    mkdirSync(join(root, ".cairn"), { recursive: true, mode: 0o700 });
    const project = openProject({ path: root, env: { HOME: folder } });
    copyFileSync(join(OLD, `${format}.sqlite`), join(project.folder, "store.sqlite"));
    const { checkpoints } = await list(project, { all: true });
    expect(checkpoints.length).toBeGreaterThan(2);
    await project.stores.close();
  });
});
