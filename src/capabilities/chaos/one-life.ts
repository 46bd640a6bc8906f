import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { OpenStores } from "../../work/project/open-stores.ts";
import type { Project } from "../../work/project/project.ts";
import { openSharedStore, withoutStore } from "../../work/project/shared-store.ts";
import { openUnguarded } from "../../work/state/cairn.ts";
import { elsewhereOf } from "../workflow/elsewhere.ts";
import type { ChaosTest } from "./chaos-file.ts";
import type { Play } from "./play.ts";
import { runnerLife } from "./runner-life.ts";
import { addToLog, type Mortal, NEVER, Striker } from "./striker.ts";

/** What tells a process which life it is: a `LifeSpec`, as JSON. */
export const LIFE_VARIABLE = "CAIRN_CHAOS_LIFE";

export interface LifeSpec extends Omit<Play, "test"> {
  readonly role: "runner" | "worker";
  readonly onWorkers: boolean;
  readonly takeOver?: boolean | undefined;
}

/** Short, so that a schedule does not wait for long until the steps of a dead worker start again. */
export const LEASE_MS = 2000;
/** What was said must have been heard before it counts. */
const HEARD_MS = 200;

/** The store of a copy: a file in it, or the project's store on a server. */
export async function openCairn(project: Project, { root, onWorkers }: Pick<LifeSpec, "root" | "onWorkers">) {
  const { now, shared } = project;
  if (!onWorkers) return openUnguarded({ path: join(root, ".cairn"), now });
  return openUnguarded({ store: await openSharedStore(project, shared!), now });
}

/** Is a runner or a worker, in a process of its own, until the run ends or this process is killed: by itself, at the call that is struck. */
export async function oneLife(
  project: Project,
  test: ChaosTest,
  spec: LifeSpec,
  { tell, drain }: { readonly tell: (word: string) => void; readonly drain: AbortSignal },
): Promise<void> {
  const { root, role, onWorkers, takeOver, run: queue } = spec;
  const { now, machine, shared } = project;
  const { pid, host, kill } = machine;
  const folder = join(root, ".cairn");
  const stores = new OpenStores();
  const cairn = await openCairn(project, spec);
  const elsewhere = onWorkers ? await elsewhereOf({ ...project, root, folder, stores }) : undefined;
  const { [LIFE_VARIABLE]: _, ...env } = withoutStore(project.env, shared);
  const leases = elsewhere?.leases({ folder, host });
  const context = { env, now, pid, host, kill, root, folder, cairn, leases };
  const mortal: Mortal = {
    isDead: () => false,
    die: async () => {
      process.kill(process.pid, "SIGKILL");
      return NEVER;
    },
    pause: async (how) => {
      tell(how);
      if (how === "freeze") process.kill(process.pid, "SIGSTOP");
      else await wait(HEARD_MS);
    },
  };
  // No worker of another run takes its steps.
  const steps = test.definition.steps.map((step) => (onWorkers ? { ...step, queue } : step));
  const definition = { ...test.definition, steps };
  const play = { ...spec, test: { ...test, definition } };
  if (role === "runner") {
    const how = await runnerLife(play, mortal, { context, elsewhere, takeOver });
    addToLog(spec.log, { type: "ended", how });
  } else {
    const aroundEngine = new Striker(play, mortal).around;
    const options = { queue, workflows: [definition], leaseMs: LEASE_MS, drain };
    await elsewhere!.work({ ...context, aroundEngine }, options);
  }
  await cairn.close();
  await stores.close();
}
