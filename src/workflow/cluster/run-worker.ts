import { dirname, resolve } from "node:path";

import { thisEnvironment, thisMachine } from "../../capture/this-machine.ts";
import { openCairn } from "../../checkpoints/cairn.ts";
import type { PostgresOptions } from "../../store/postgres/connection-options.ts";
import { openPostgresStore } from "../../store/postgres.ts";
import type { WorkflowContext } from "../context.ts";
import { openCluster } from "./cluster.ts";
import type { WorkerOptions } from "./worker-options.ts";
import { Worker } from "./worker.ts";

export interface RunWorkerOptions extends Omit<WorkerOptions, "drain"> {
  /** The shared store. */
  readonly store: PostgresOptions;
  /** The folder for what steps print; `.cairn` unless given. The project is the folder around it. */
  readonly path?: string;
  /** Aborted, it takes nothing more, and the worker ends when its steps have ended. */
  readonly signal: AbortSignal;
  /** What steps inherit. It should not hold the way into the store. */
  readonly env?: WorkflowContext["env"];
  readonly now: () => Date;
}

/**
 * A worker inside a program: it can run steps that are functions, of the workflows that it is given.
 *
 * @example
 * await runWorker({ store: { url: process.env.STORE! }, workflows: [release], signal, now: () => new Date() });
 */
export async function runWorker(options: RunWorkerOptions): Promise<void> {
  const { store, path = ".cairn", signal, env = thisEnvironment, now, ...others } = options;
  const cluster = await openCluster(store);
  const cairn = await openCairn({ store: await openPostgresStore(store), now });
  const folder = resolve(path);
  const { pid, host, kill } = thisMachine;
  const context = { cairn, root: dirname(folder), folder, env, now, pid, host, kill };
  try {
    await new Worker(context, cluster, { ...others, drain: signal }).run();
  } finally {
    await cairn.close();
    await cluster.close();
  }
}
