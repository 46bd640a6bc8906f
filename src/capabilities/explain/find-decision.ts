import { textOf } from "../../core/text/untrusted.ts";
import { isWorkedOn } from "../../work/project/choose-trail.ts";
import { loadIfAny } from "../../work/sessions/trails/unfinished.ts";
import type { Cairn } from "../../work/state/cairn.ts";
import type { Match } from "./match-commit.ts";
import type { SessionRecord } from "./recorded.ts";

/** The decision with all of these words that was made last, and the sessions that recorded it. */
export async function findDecision(
  cairn: Cairn,
  words: string,
  sessions: readonly SessionRecord[],
): Promise<{ readonly what: string; readonly matches: readonly Match[] } | undefined> {
  const sought = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = (await decisionsOf(cairn)).filter(({ what, why }) => {
    const text = `${what} ${why ?? ""}`.toLowerCase();
    return sought.every((word) => text.includes(word));
  });
  const last = found.toSorted((a, b) => (a.at ?? "").localeCompare(b.at ?? "")).at(-1);
  if (last === undefined) return undefined;
  const { what, at, by } = last;
  return { what, matches: sessions.flatMap((session) => matchOf(session, { what, at, by })) };
}

interface Sought {
  readonly what: string;
  readonly at: string | undefined;
  readonly by: string | undefined;
}

function matchOf(session: SessionRecord, { what, at = "", by = "unknown" }: Sought): Match[] {
  const { state, activity } = session;
  const own = state.decisions.some((each) => each.what === what && each.at === at);
  const turn = activity.turns.findLast((each) => each.at <= at)?.at;
  const turns = turn === undefined ? [] : [turn];
  if (own) return [{ session, certainty: "certain", how: `it recorded the decision (${by})`, turns }];
  // A decision of the whole project stands on its own trail: a session that was at work then may have led to it.
  const isMeanwhile = (textOf(state.session, "last_seen_at") ?? activity.turns.at(-1)?.at ?? "") >= at;
  return turn !== undefined && isMeanwhile
    ? [{ session, certainty: "possible", how: "it was at work when it was recorded", turns }]
    : [];
}

async function decisionsOf(cairn: Cairn) {
  const all = [];
  for (const { name } of await cairn.trails()) {
    if (!isWorkedOn(name)) continue;
    const loaded = await loadIfAny(cairn, name);
    if (loaded !== undefined) all.push(...loaded.state.decisions);
  }
  return all;
}
