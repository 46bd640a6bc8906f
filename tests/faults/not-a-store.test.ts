import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";

import { openCairn } from "../../src/doors/library/index.ts";
import { useFolders } from "./support/folders.ts";

const folders = useFolders();

/** What may stand where a store should be, and the code by which it is turned away. */
const IMPOSTORS: readonly (readonly [what: string, code: string, make: (file: string) => void])[] = [
  [
    "a text",
    "corrupt",
    (file) => writeFileSync(file, "Dear diary, today I was not a database.\n".repeat(40)),
  ],
  ["a short text", "corrupt", (file) => writeFileSync(file, "hello")],
  ["zeros", "corrupt", (file) => writeFileSync(file, new Uint8Array(8192))],
  ["an archive", "corrupt", (file) => writeFileSync(file, Buffer.from("504b0304".repeat(2000), "hex"))],
  ["a folder", "failed", (file) => mkdirSync(file)],
  ["a database of another program", "corrupt", (file) => database(file, "CREATE TABLE notes(text)")],
  [
    "a database of another program that counts its versions too",
    "corrupt",
    (file) => database(file, "CREATE TABLE notes(text); PRAGMA user_version = 42"),
  ],
  [
    "a database of another program that names itself",
    "corrupt",
    (file) =>
      database(file, "PRAGMA application_id = 252006673; PRAGMA user_version = 1; CREATE TABLE blob(id)"),
  ],
  [
    "an empty database of another program that names itself",
    "corrupt",
    (file) => database(file, "PRAGMA application_id = 252006673"),
  ],
  [
    "a store of a newer version",
    "refused",
    (file) =>
      database(file, "PRAGMA application_id = 0x43414952; PRAGMA user_version = 99; CREATE TABLE future(id)"),
  ],
  [
    "a store whose name was taken away",
    "corrupt",
    (file) => database(file, "PRAGMA application_id = 0; PRAGMA user_version = 1; CREATE TABLE meta(key)"),
  ],
];

describe("a file that is not a store", () => {
  describe.each([
    ["to write", false],
    ["to read", true],
  ] as const)("opened %s", (_, readOnly) => {
    it.each(IMPOSTORS)("is turned away and left as it is: %s", async (_, code, make) => {
      const folder = join(folders.onDisk(), "store");
      mkdirSync(folder, { mode: 0o700 });
      make(join(folder, "store.sqlite"));
      const before = printsOf(folder);
      await expect(openCairn({ path: folder, readOnly })).rejects.toMatchObject({
        name: "CheckpointError",
        code,
        message: expect.stringContaining("store.sqlite") as string,
      });
      expect(printsOf(folder)).toEqual(before);
    });
  });

  it("is not made by looking for it", async () => {
    const folder = join(folders.onDisk(), "store");
    await expect(openCairn({ path: folder, readOnly: true })).rejects.toMatchObject({ code: "not-found" });
    expect(lstatSync(folder, { throwIfNoEntry: false })).toBeUndefined();
  });
});

function database(file: string, sql: string): void {
  const db = new DatabaseSync(file);
  db.exec(sql);
  db.close();
}

/** Every file of a folder with the hash of its content. */
function printsOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { withFileTypes: true }).map((entry) => [
      entry.name,
      entry.isDirectory()
        ? "folder"
        : createHash("sha256")
            .update(readFileSync(join(folder, entry.name)))
            .digest("hex"),
    ]),
  );
}
