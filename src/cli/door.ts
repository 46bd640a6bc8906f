import { actorOf } from "../project/actor.ts";
import { findProject } from "../project/find-project.ts";
import type { Project } from "../project/project.ts";
import type { Context } from "./context.ts";
import type { Output } from "./output.ts";

/** The project that a command works in, and who works: what its verb gets. */
export function projectOf(
  { cwd, env, now, machine, stores }: Context,
  { agent }: { readonly agent?: string | undefined },
  notices: Output,
): Project {
  return { ...findProject(cwd), actor: actorOf(env, { agent }), env, now, machine, stores, notices };
}
