import { loadIfAny } from "../../work/sessions/trails/unfinished.ts";
import type { Cairn } from "../../work/state/cairn.ts";
import type { WorkState } from "../../work/state/work-state.ts";
import type { SessionRecord } from "./recorded.ts";

/** A turn, and what was said and done in it. */
export type ExplainedTurn = ReturnType<typeof turnIn>;

const MOST_SAID = 6;

/** What a turn was about; undefined where the checkpoints that held it are gone. */
export async function turnOfSession(
  cairn: Cairn,
  { trail, state }: SessionRecord,
  at: string,
): Promise<ExplainedTurn | undefined> {
  if (state.activity?.turns.some((turn) => turn.at === at)) return turnIn(state, at);
  // A long session drops its oldest turns; the first checkpoint after one still holds it.
  const [after] = await cairn.store.find({ trail, createdFrom: Date.parse(at), limit: 1 });
  if (after === undefined) return undefined;
  const loaded = await loadIfAny(cairn, trail, { id: after.id });
  const older = loaded?.state;
  return older?.activity?.turns.some((turn) => turn.at === at) === true ? turnIn(older, at) : undefined;
}

function turnIn(state: WorkState, at: string) {
  const { turns = [], results = [], written = [] } = state.activity ?? {};
  const index = turns.findIndex((turn) => turn.at === at);
  const turn = turns[index];
  const end = turns[index + 1]?.at ?? "9";
  const isInside = (time: string | undefined) => time !== undefined && time >= at && time < end;
  const asked = state.instructions?.find((each) => each.at === at);
  const words = asked?.text ?? turn?.asked ?? (index === 0 ? state.goal : undefined);
  return {
    at,
    asked: words === undefined ? null : { text: words, by: asked?.by ?? null },
    said: turn?.said.slice(-MOST_SAID) ?? [],
    decided: state.decisions
      .filter((each) => isInside(each.at))
      .map(({ what, why, by }) => ({ what, why: why ?? null, by: by ?? null })),
    checks: results.flatMap(({ check, ok, at: time }) =>
      check !== undefined && isInside(time) ? { check, ok, at: time } : [],
    ),
    files: [...new Set(written.filter((each) => each.turn === at).map(({ path }) => path))],
  };
}
