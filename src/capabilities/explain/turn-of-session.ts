import { type StoryLine, storyOfState } from "../../work/project/reading/story-line.ts";
import { loadIfAny } from "../../work/sessions/trails/unfinished.ts";
import type { Cairn } from "../../work/state/cairn.ts";
import type { WorkState } from "../../work/state/work-state.ts";
import type { SessionRecord } from "./recorded.ts";

/** A turn, and what was asked, said, decided, checked and written in it. */
export interface ExplainedTurn {
  readonly at: string;
  readonly story: readonly StoryLine[];
}

/** What an agent said last says why. */
const MOST_SAID = 3;

/** What a turn was about; undefined where the checkpoints that held it are gone. */
export async function turnOfSession(
  cairn: Cairn,
  { trail, state }: SessionRecord,
  at: string,
): Promise<ExplainedTurn | undefined> {
  const known = turnIn(state, at);
  if (known !== undefined) return known;
  // A long session drops its oldest turns; the first checkpoint after one still holds it.
  const [after] = await cairn.store.find({ trail, createdFrom: Date.parse(at), limit: 1 });
  const older = after && (await loadIfAny(cairn, trail, { id: after.id }));
  return older && turnIn(older.state, at);
}

function turnIn(state: WorkState, at: string): ExplainedTurn | undefined {
  const { turns = [], written = [] } = state.activity ?? {};
  const index = turns.findIndex((turn) => turn.at === at);
  if (index < 0) return undefined;
  const end = turns[index + 1]?.at ?? "9";
  // Of a file that was edited again later, only the later edit is kept, but which turn wrote what.
  const lines = storyOfState(state).filter((line) => line.at >= at && line.at < end && line.kind !== "edit");
  const paths = new Set(written.filter(({ turn }) => turn === at).map(({ path }) => path));
  const edits = [...paths].map((text) => ({ at, kind: "edit", text, by: null }) as const);
  const said = lines.filter(({ kind }) => kind === "said").slice(-MOST_SAID);
  return { at, story: [...lines.filter((line) => line.kind !== "said" || said.includes(line)), ...edits] };
}
