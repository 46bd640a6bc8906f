import type { Cairn } from "../checkpoints/cairn.ts";
import * as sessions from "../sessions/trails/choose-trail.ts";
import { CheckpointError } from "../errors.ts";
import type { Context } from "./context.ts";
import type { Output } from "./output.ts";

export { noCheckpointYet } from "../sessions/trails/choose-trail.ts";

/** Which trail a command means. */
export function chooseTrail({ env }: Context, typed: string | undefined): sessions.ChosenTrail {
  return sessions.chooseTrail(env, typed);
}

/**
 * The trail to read. One that was typed must have checkpoints; where none was, an empty one gives way to the
 * trail that moved last, because what people want to see is their work.
 */
export async function trailToRead(
  cairn: Cairn,
  chosen: sessions.ChosenTrail,
  output: Output,
): Promise<string> {
  if (chosen.by === "--trail" || (await cairn.store.head(chosen.name)) !== undefined) return chosen.name;
  // An archived transcript moves, too, but nobody works on it.
  const latest = (await cairn.trails()).find(({ name }) => !name.startsWith("transcript/"));
  if (latest === undefined) throw sessions.noCheckpointYet();
  output.message(`Trail ${chosen.name} is empty; this is ${latest.name}, which moved last.`);
  return latest.name;
}

/** What somebody else writes into the trail of a run would be in the way of its runner, or lost to it. */
export function refuseRun(trail: string): void {
  if (!trail.startsWith("run/")) return;
  const run = trail.slice("run/".length);
  throw new CheckpointError(
    "usage",
    `Trail "${trail}" belongs to the run "${run}": only its runner writes to it.`,
    {
      hint: `To see where it stands: checkpoint runs show ${run}\nTo save something of your own: --trail NAME, or leave it out`,
      details: { trail, run },
    },
  );
}

/** All trails, or one: whoever types both may mean either, and one of them may remove much more. */
export function assertOneChoice(
  option: "--all" | "--graph",
  { isAll, trail }: { readonly isAll: boolean; readonly trail: string | undefined },
): void {
  if (!isAll || trail === undefined) return;
  throw new CheckpointError(
    "usage",
    `${option} is about all trails, and --trail about one: choose one of them.`,
    {
      hint: "Leave one of the two out.",
      details: { option, trail },
    },
  );
}
