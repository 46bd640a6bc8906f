import type { Checkpoint } from "../../../core/trails/document.ts";
import { readWorkState, type WorkState } from "../../state/work-state.ts";
import { markInterrupted, readerOf } from "../../sessions/alive/interrupted.ts";
import type { Project } from "../project.ts";
import { redactorOf } from "../settings/settings.ts";

/** The state of a head, read, with every task marked that is "in progress" though no live agent works on it. */
export async function asSeenNow(project: Project, head: Checkpoint<WorkState>): Promise<WorkState> {
  const { env, actor, folder, root, now } = project;
  const reader = readerOf(head.trail, { env, session: actor.session });
  const redactor = () => redactorOf(project);
  const found = { ...head, state: readWorkState(head.state) };
  return markInterrupted(found, { reader, folder, root, env, now: now(), redactor });
}
