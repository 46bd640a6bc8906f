import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CairnSaver } from "cairn-checkpoint/langgraph";
import { migratePostgresStore, openPostgresStore } from "cairn-checkpoint/postgres";
import { openMemoryStore } from "cairn-checkpoint/store";

const url = process.env.CAIRN_TEST_PG_URL;
if (!url) console.warn("Skipped: CairnSaver on PostgreSQL, because there is no server.");

/** The stores that a saver is tested on. */
export const STORES = ["SQLite", "memory", ...(url ? ["PostgreSQL"] : [])];

/** A saver on a new, empty store, and what ends both. */
export async function open(kind, options = {}) {
  if (kind === "SQLite") {
    const folder = mkdtempSync(join(tmpdir(), "cairn-langgraph-"));
    const path = join(folder, ".cairn");
    const saver = new CairnSaver({ path, ...options });
    const end = async () => {
      await saver.close();
      rmSync(folder, { recursive: true, force: true });
    };
    return { saver, path, end };
  }
  const store = kind === "memory" ? await openMemoryStore() : await openSchema();
  const saver = new CairnSaver({ store, ...options });
  const end = async () => {
    await saver.close();
    await store.close();
  };
  return { saver, store, end };
}

async function openSchema() {
  const schema = `s${randomUUID().replaceAll("-", "")}`;
  await migratePostgresStore({ url, schema });
  return openPostgresStore({ url, schema });
}
