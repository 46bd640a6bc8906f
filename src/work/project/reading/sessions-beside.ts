import type { Cairn } from "../../state/cairn.ts";
import type { CheckpointInfo } from "../../../core/trails/document.ts";
import { lastSeen, livenessOf } from "../../sessions/alive/liveness.ts";
import { loadIfAny } from "../../sessions/trails/unfinished.ts";
import type { Project } from "../project.ts";

const PREFIX = "session/";
/** How many of the most recent sessions are looked at; `checkpoint sessions` shows the others. */
const MOST_LOOKED_AT = 20;

/** A session beside the trail that is shown: one that lives, or that went on after it. */
export type SessionBeside = Awaited<ReturnType<typeof sessionsBeside>>[number];

/** The sessions that live, and those that went on since a checkpoint was saved; the most recent first. */
export async function sessionsBeside({ folder, now }: Project, cairn: Cairn, shown: CheckpointInfo) {
  const trails = (await cairn.trails({ prefix: PREFIX })).filter(
    ({ name }) => !name.slice(PREFIX.length).includes("/") && name !== shown.trail,
  );
  const found = [];
  for (const { name } of trails.slice(0, MOST_LOOKED_AT)) {
    const head = await loadIfAny(cairn, name);
    if (head === undefined) continue;
    const { status, client } = await livenessOf(head, { folder, now: now() });
    // A window that may have been closed long ago does not count as alive.
    const isLive = status === "working" || (status === "waiting" && client === "runs");
    const seen = lastSeen(head);
    // An agent that looks at its own work has no use for sessions that are over.
    const isNewer = !shown.trail.startsWith(PREFIX) && seen.getTime() > Date.parse(shown.created_at);
    if (!isLive && !isNewer) continue;
    const { session, goal = null } = head.state;
    found.push({
      trail: name,
      client: session?.client ?? "unknown",
      status,
      goal,
      last_seen_at: seen.toISOString(),
    });
  }
  return found.toSorted((a, b) => Date.parse(b.last_seen_at) - Date.parse(a.last_seen_at));
}
