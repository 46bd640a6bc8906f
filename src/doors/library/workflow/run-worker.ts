import { resolve } from "node:path";

import { thisEnvironment } from "../../../work/machine/this-machine.ts";
import { openUnguarded } from "../../../work/state/cairn.ts";
import type { PostgresOptions } from "../../../capabilities/postgres/store/connection-options.ts";
import { openPostgresStore } from "../../../capabilities/postgres/store.ts";
import type { WorkflowContext } from "../../../capabilities/workflow/context.ts";
import type { WorkerOptions } from "../../../capabilities/workers/worker-options.ts";
import { work } from "../../../capabilities/workers/verbs/work.ts";
import { GivenStores } from "./given-stores.ts";
import { openProjectAt } from "./project-at.ts";

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
  /** The agent that works, where the store is governed; without one it is the one that `env` names, or a person. */
  readonly agent?: string;
}

/**
 * A worker inside a program: it can run steps that are functions, of the workflows that it is given.
 *
 * @example
 * await runWorker({ store: { url: process.env.STORE! }, workflows: [release], signal, now: () => new Date() });
 */
export async function runWorker(options: RunWorkerOptions): Promise<void> {
  const { store, path = ".cairn", signal, env = thisEnvironment, now, agent, ...others } = options;
  const cairn = await openUnguarded({ store: await openPostgresStore(store), now });
  const stores = await GivenStores.from({ cairn }, now);
  const shared = { ...store, variable: "store" };
  const project = { ...openProjectAt(resolve(path), { env, now, agent }), shared, stores };
  try {
    await work(project, { ...others, drain: signal });
  } finally {
    await stores.close();
  }
}
