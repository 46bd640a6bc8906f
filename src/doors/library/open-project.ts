import { resolve } from "node:path";
import { CAPABILITIES } from "../../capabilities/list.ts";
import type { Environment } from "../../work/machine/environment.ts";
import { actorOf } from "../../work/project/actor.ts";
import { findProject } from "../../work/project/find-project.ts";
import { OpenStores } from "../../work/project/open-stores.ts";
import type { Notices, Project } from "../../work/project/project.ts";
import { thisMachine, type Machine } from "../../work/machine/this-machine.ts";

export interface OpenProjectOptions {
  /** Any folder of the project. */
  readonly path: string;
  /** The agent that acts; without one it is a person, or the agent that the environment names. */
  readonly agent?: string | undefined;
  /** The tier that it claims: recorded with what it saves, and grants nothing. */
  readonly tier?: number | undefined;
  /** What git and probes inherit, and what names the agent's session. */
  readonly env?: Environment | undefined;
  readonly now?: (() => Date) | undefined;
  readonly machine?: Machine | undefined;
  /** Told what a verb says beside its result. */
  readonly notices?: Notices | undefined;
}

/**
 * A project for programs: what every verb of this package gets first. Close its stores in the end.
 *
 * @example
 * const project = openProject({ path: ".", agent: "planner" });
 * await goal(project, { goal: "Ship the login page" });
 * await project.stores.close();
 */
export function openProject(options: OpenProjectOptions): Project {
  const { path, agent, tier, env = {}, now = () => new Date(), machine = thisMachine } = options;
  const notices = options.notices ?? { message: () => {}, warning: () => {} };
  const stores = new OpenStores();
  return {
    ...findProject(resolve(path), env),
    actor: actorOf(env, { agent, tier }),
    env,
    now,
    machine,
    stores,
    capabilities: CAPABILITIES,
    notices,
  };
}
