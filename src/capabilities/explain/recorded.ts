import { lineDigests } from "../../work/sessions/activity/written-lines.ts";
import type { WorkState } from "../../work/state/work-state.ts";
import type { Activity } from "../../work/state/activity.ts";
import type { Cairn } from "../../work/state/cairn.ts";
import { loadIfAny } from "../../work/sessions/trails/unfinished.ts";

/** A session as its newest checkpoint tells it. */
export interface SessionRecord {
  readonly trail: string;
  readonly checkpointId: string;
  readonly state: WorkState;
  readonly activity: Activity;
}

const PREFIX = "session/";

/** The sessions of a store that recorded what they did, sub-agents apart. A damaged one is left out: `verify` tells. */
export async function recordedSessions(cairn: Cairn, only: string | undefined): Promise<SessionRecord[]> {
  const found: SessionRecord[] = [];
  for (const { name } of await cairn.trails({ prefix: only === undefined ? PREFIX : `${PREFIX}${only}` })) {
    if (name.slice(PREFIX.length).includes("/")) continue;
    const loaded = await loadIfAny(cairn, name);
    if (loaded === undefined) continue;
    const { checkpoint_id: checkpointId, state } = loaded;
    const { activity } = state;
    if (activity !== undefined) found.push({ trail: name, checkpointId, state, activity });
  }
  return found;
}

/** Lines of one file, as they are looked for. */
export interface SoughtLines {
  readonly path: string;
  readonly lines: readonly string[];
}

/** How many of the lines each turn of a session wrote, the most first; each line counts for the last turn that wrote it. */
export function turnsThatWrote(
  { activity }: SessionRecord,
  sought: readonly SoughtLines[],
): { readonly turn: string; readonly lines: number }[] {
  const counts = new Map<string, number>();
  for (const { path, lines } of sought) {
    const left = new Set(lineDigests(lines));
    for (const written of (activity.written ?? []).toReversed()) {
      if (written.path !== path) continue;
      for (const digest of written.lines)
        if (left.delete(digest)) counts.set(written.turn, (counts.get(written.turn) ?? 0) + 1);
    }
  }
  return [...counts].map(([turn, lines]) => ({ turn, lines })).toSorted((a, b) => b.lines - a.lines);
}

/** How many different lines can be recognised at all. */
export function recognisable(sought: readonly SoughtLines[]): number {
  return sought.reduce((sum, { lines }) => sum + new Set(lineDigests(lines)).size, 0);
}
