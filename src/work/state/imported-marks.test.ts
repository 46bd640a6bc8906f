import { expect, it } from "vitest";

import { openMemoryStore } from "../../core/store/sqlite.ts";
import { Cairn } from "./cairn.ts";
import { IMPORT_RECORD } from "../../core/trails/import-record.ts";
import { markIfImported } from "./imported-marks.ts";

it.each(["", "{", "null", "[]", '{"source":7}', '{"trusted":"true"}', "\u0000"])(
  "takes a checkpoint for imported whatever its record says: %j",
  async (record) => {
    const store = await openMemoryStore();
    const cairn = new Cairn(store, () => new Date(0));
    const { content_hash: id } = await cairn
      .trail<object>("main", { initial: {} })
      .commit({ decisions: [{ what: "Ship" }] });
    await store.attach(id, new Map([[IMPORT_RECORD, Buffer.from(record)]]));
    const state = await markIfImported(store, id, { decisions: [{ what: "Ship" }] });
    expect(JSON.stringify(state)).toContain(`"by":"import:`);
    await store.close();
  },
);
