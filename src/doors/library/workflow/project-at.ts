import { dirname } from "node:path";
import { CAPABILITIES } from "../../../capabilities/list.ts";
import { thisMachine } from "../../../work/machine/this-machine.ts";
import type { Environment } from "../../../work/machine/environment.ts";
import { actorOf } from "../../../work/project/actor.ts";
import type { Project } from "../../../work/project/project.ts";

interface Caller {
  readonly env: Environment;
  readonly now: () => Date;
  readonly agent: string | undefined;
}

/** The project around a store's folder, as a program names it; the program brings the store. */
export function openProjectAt(folder: string, { env, now, agent }: Caller): Omit<Project, "stores"> {
  const notices = { message: () => {}, warning: () => {} };
  const actor = actorOf(env, { agent });
  return {
    root: dirname(folder),
    folder,
    actor,
    env,
    now,
    machine: thisMachine,
    notices,
    capabilities: CAPABILITIES,
  };
}
