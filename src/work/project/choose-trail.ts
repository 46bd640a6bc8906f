import type { Cairn } from "../state/cairn.ts";
import { RUN_TRAIL_PREFIX } from "../state/run-trail.ts";
import { parseTrailName } from "../../core/trails/names.ts";
import { isRelative } from "../../core/trails/references.ts";
import type { Trail } from "../../core/trails/trail.ts";
import type { WorkState } from "../state/work-state.ts";
import { CheckpointError } from "../../core/errors.ts";
import { PROJECT_TRAIL, sessionTrail } from "../sessions/session.ts";
import { noCheckpointYet } from "./find-project.ts";
import type { Project } from "./project.ts";

/** Archived transcripts of agent clients. */
const TRANSCRIPTS = "transcript/";

/** What the gate decides by, and evidence. Both belong to one store, and are never sent to another. */
export const isGovernance = (trail: string) => trail.startsWith("cairn/");

/** Archived transcripts and the trails of governance move too, but nobody works on them. */
export function isWorkedOn(trail: string): boolean {
  return !trail.startsWith(TRANSCRIPTS) && !isGovernance(trail);
}

/** A trail's name, and what chose it. */
export interface ChosenTrail {
  readonly name: string;
  readonly by: "--trail" | "CHECKPOINT_TRAIL" | "the agent session" | "default";
}

/** Which trail is meant: the one that was named, else the environment's, else the agent session's, else `main`. */
export function chooseTrail(
  { env, actor }: Pick<Project, "env" | "actor">,
  named: string | undefined,
): ChosenTrail {
  if (named !== undefined) return { name: parseTrailName(named), by: "--trail" };
  const fromEnvironment = env["CHECKPOINT_TRAIL"];
  if (fromEnvironment) return { name: parseTrailName(fromEnvironment), by: "CHECKPOINT_TRAIL" };
  if (actor.session) return { name: sessionTrail(actor.session.id), by: "the agent session" };
  return { name: PROJECT_TRAIL, by: "default" };
}

/** The trail to write to. */
export function trailToWrite(project: Pick<Project, "env" | "actor">, named: string | undefined): string {
  const { name } = chooseTrail(project, named);
  refuseOwned(name);
  return name;
}

/** A write by anyone else would confuse the runner of a run, or damage an archived transcript. */
export function refuseOwned(trail: string): void {
  if (trail.startsWith(TRANSCRIPTS)) throw transcriptRefuses(trail);
  refuseGovernance(trail);
  refuseRun(trail);
}

export function refuseGovernance(trail: string): void {
  if (!isGovernance(trail)) return;
  throw new CheckpointError("usage", `Trail "${trail}" belongs to governance, which alone writes to it.`, {
    hint: "To see what it recorded: checkpoint ledger",
    details: { trail },
  });
}

export function refuseRun(trail: string): void {
  if (!trail.startsWith(RUN_TRAIL_PREFIX)) return;
  const run = trail.slice(RUN_TRAIL_PREFIX.length);
  throw new CheckpointError(
    "usage",
    `Trail "${trail}" belongs to the run "${run}": only its runner writes to it.`,
    {
      hint: `To see where it stands: checkpoint runs show ${run}\nTo save something of your own: --trail NAME, or leave it out`,
      details: { trail, run },
    },
  );
}

function transcriptRefuses(trail: string): CheckpointError {
  return new CheckpointError(
    "usage",
    `Trail "${trail}" holds an archived transcript, which cannot be changed.`,
    {
      hint: "To save something of your own: --trail NAME, or leave it out",
      details: { trail },
    },
  );
}

/** A trail to read, with the store that it is in. */
export interface ReadTrail {
  readonly cairn: Cairn;
  readonly trail: Trail<WorkState>;
}

/**
 * The trail to read. A trail that was named must have checkpoints. Otherwise an empty trail gives way to the one that
 * moved last, because people want to see their work. An `id` that is not relative may be
 * in any trail, so an empty one will do.
 */
export async function readTrail(
  project: Project,
  named: string | undefined,
  id?: string,
): Promise<ReadTrail> {
  const chosen = chooseTrail(project, named);
  const cairn = await project.stores.open(project, "read");
  const found = (name: string) => ({ cairn, trail: cairn.trail(name) });
  const isAnywhere = id !== undefined && !isRelative(id);
  if (isAnywhere || (await cairn.store.head(chosen.name)) !== undefined) return found(chosen.name);
  if (chosen.by === "--trail") throw noCheckpointYet(chosen.name);
  const latest = (await cairn.trails()).find(({ name }) => isWorkedOn(name));
  if (latest === undefined) throw noCheckpointYet();
  project.notices.message(
    `Trail ${chosen.name} is empty; showing ${latest.name}, the most recently changed.`,
  );
  return found(latest.name);
}
