import { createHash } from "node:crypto";
import { join } from "node:path";

import { openCairn } from "../../../src/checkpoints/cairn.ts";
import { Database } from "../../../src/store/postgres/database.ts";
import { migratePostgresStore, openPostgresStore } from "../../../src/store/postgres.ts";
import { serverLeases } from "../../../src/workflow/cluster/server-leases.ts";
import type { WorkflowContext } from "../../../src/workflow/context.ts";

const HOST = "test";

/** The store of a project below `root`: in its folder, or a schema of its own on the server that CAIRN_TEST_STORE names. */
export async function openContext(
  root: string,
  options: Partial<WorkflowContext> = {},
): Promise<{ readonly context: WorkflowContext; readonly close: () => Promise<void> }> {
  const folder = join(root, ".cairn");
  const now = options.now ?? (() => new Date());
  const url = process.env["CAIRN_TEST_STORE"];
  const shared = url === undefined ? undefined : await openShared(url, root, folder);
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

async function openShared(url: string, root: string, folder: string) {
  const schema = `t_${createHash("sha256").update(root).digest("hex").slice(0, 16)}`;
  await migratePostgresStore({ url, schema });
  const database = await Database.open({ url, schema });
  return {
    store: await openPostgresStore({ url, schema }),
    database,
    leases: serverLeases(database, { folder, host: HOST }),
  };
}
