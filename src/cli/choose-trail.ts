import type { Cairn } from "../checkpoints/cairn.ts";
import { parseTrailName } from "../checkpoints/names.ts";
import { CheckpointError } from "../errors.ts";
import type { Context } from "./context.ts";
import type { Output } from "./output.ts";
import { findSession, sessionTrail } from "./session.ts";

/** A trail's name, and what chose it. */
export interface ChosenTrail {
  readonly name: string;
  readonly by: "--trail" | "CHECKPOINT_TRAIL" | "the agent session" | "default";
}

/** Which trail is meant: the one that was typed, else the environment's, else the agent session's, else `main`. */
export function chooseTrail({ env }: Context, typed: string | undefined): ChosenTrail {
  if (typed !== undefined) return { name: parseTrailName(typed), by: "--trail" };
  const fromEnvironment = env["CHECKPOINT_TRAIL"];
  if (fromEnvironment) return { name: parseTrailName(fromEnvironment), by: "CHECKPOINT_TRAIL" };
  const session = findSession(env);
  if (session) return { name: sessionTrail(session), by: "the agent session" };
  return { name: "main", by: "default" };
}

/**
 * The trail to read. One that was typed must have checkpoints; where none was, an empty one gives way to the
 * trail that moved last, because what people want to see is their work.
 */
export async function trailToRead(cairn: Cairn, chosen: ChosenTrail, output: Output): Promise<string> {
  if (chosen.by === "--trail" || (await cairn.store.head(chosen.name)) !== undefined) return chosen.name;
  const [latest] = await cairn.trails();
  if (latest === undefined) throw noCheckpointYet();
  output.message(`Trail ${chosen.name} is empty; this is ${latest.name}, which moved last.`);
  return latest.name;
}

export function noCheckpointYet(trail?: string): CheckpointError {
  const where = trail === undefined ? "in this project" : `in trail "${trail}"`;
  const hint = trail === undefined ? "checkpoint now" : "checkpoint list --all";
  return new CheckpointError("not-found", `There is no checkpoint ${where} yet.`, { hint });
}
