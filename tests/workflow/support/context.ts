import { createHash } from "node:crypto";
import { join } from "node:path";

import { openCairn } from "../../../src/work/state/cairn.ts";
import { Database } from "../../../src/capabilities/postgres/store/database.ts";
import { migratePostgresStore, openPostgresStore } from "../../../src/capabilities/postgres/store.ts";
import { migrateWork } from "../../../src/capabilities/workers/migrate-work.ts";
import { serverLeases } from "../../../src/capabilities/workers/server-leases.ts";
import type { WorkflowContext } from "../../../src/capabilities/workflow/context.ts";

const HOST = "test";

/** The store of a project below `root`: in its folder, or a schema of its own on the server that CAIRN_TEST_STORE names. */
export async function openContext(
  root: string,
  options: Partial<WorkflowContext> = {},
): Promise<{ readonly context: WorkflowContext; readonly close: () => Promise<void> }> {
  const folder = join(root, ".cairn");
  const now = options.now ?? (() => new Date());
  const place = sharedStoreOf(root);
  const shared = place === undefined ? undefined : await openShared(place, folder);
  const cairn = await openCairn(shared === undefined ? { path: folder, now } : { store: shared.store, now });
  const context: WorkflowContext = {
    cairn,
    root,
    folder,
    now,
    env: process.env,
    pid: process.pid,
    host: HOST,
    kill: (pid, signal) => void process.kill(pid, signal),
    leases: shared?.leases,
    ...options,
  };
  return {
    context,
    async close() {
      await cairn.close();
      await shared?.database.close();
    },
  };
}

/** Undefined for projects that keep their store in their own folder. */
export function sharedStoreOf(root: string): { readonly url: string; readonly schema: string } | undefined {
  const url = process.env["CAIRN_TEST_STORE"];
  if (url === undefined) return undefined;
  return { url, schema: `t_${createHash("sha256").update(root).digest("hex").slice(0, 16)}` };
}

async function openShared(place: { readonly url: string; readonly schema: string }, folder: string) {
  await migratePostgresStore(place);
  const database = await Database.open(place);
  await migrateWork(database);
  return {
    store: await openPostgresStore(place),
    database,
    leases: serverLeases(database, { folder, host: HOST }),
  };
}
