import type { Environment } from "../../capture/environment.ts";
import { parseTrailName } from "../../checkpoints/names.ts";
import { CheckpointError } from "../../errors.ts";
import { findSession, type Session, sessionTrail } from "../session.ts";

/** A trail's name, and what chose it. */
export interface ChosenTrail {
  readonly name: string;
  readonly by: "--trail" | "CHECKPOINT_TRAIL" | "the agent session" | "default";
}

/**
 * Which trail is meant: the one that was typed, else the environment's, else the agent session's, else `main`.
 * A session that is known from elsewhere goes before the one that the environment names.
 */
export function chooseTrail(
  env: Environment,
  typed: string | undefined,
  session: Session | undefined = findSession(env),
): ChosenTrail {
  if (typed !== undefined) return { name: parseTrailName(typed), by: "--trail" };
  const fromEnvironment = env["CHECKPOINT_TRAIL"];
  if (fromEnvironment) return { name: parseTrailName(fromEnvironment), by: "CHECKPOINT_TRAIL" };
  if (session) return { name: sessionTrail(session), by: "the agent session" };
  return { name: "main", by: "default" };
}

export function noCheckpointYet(trail?: string): CheckpointError {
  const where = trail === undefined ? "in this project" : `in trail "${trail}"`;
  const hint = trail === undefined ? "checkpoint now" : "checkpoint list --all";
  return new CheckpointError("not-found", `There is no checkpoint ${where} yet.`, { hint });
}
