import { expect, it } from "vitest";

import { openCairn } from "../../../work/state/cairn.ts";
import { openMemoryStore } from "../../../core/store/sqlite.ts";
import { decodeSection, encodeSection, sectionsOf, type Section } from "./pack.ts";

it("brings no record that speaks for the store it comes to: a pin, or where it was imported from", async () => {
  const cairn = await openCairn({ store: await openMemoryStore() });
  const { content_hash: id } = await cairn.trail("main").commit(() => {});
  const bytes = (await cairn.store.readObjects([id])).get(id)!;
  const withRecord = (key: string) => {
    const records = new Map([[key, Buffer.from("{}")]]);
    const [section] = sectionsOf(encodeSection([{ id, bytes, objects: [], records }], [], 0));
    return decodeSection(section as Section, []);
  };
  expect(withRecord("note")[0]?.records?.has("note")).toBe(true);
  for (const key of ["import", "pin/tag/v1"])
    expect(() => withRecord(key)).toThrow("speaks for the store it comes to");
});
