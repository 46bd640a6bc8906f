import { clientState } from "../../../work/sessions/alive/known-clients.ts";
import type { SessionTurn } from "../snapshot/snapshots.ts";

/** A moment in an agent's session. */
export interface SessionMoment {
  readonly id: string;
  readonly client: string;
  /** Whether a turn begins here, goes on or ends; undefined outside of turns. */
  readonly turn: "begins" | "goes on" | "ends" | undefined;
}

type Turns = Readonly<Record<string, SessionTurn>>;

/** A session that gave no sign for so long is over, whatever it last said: its client was killed. */
const OPEN_MS = 60 * 60 * 1000;
const MOST_SESSIONS = 20;

/** The sessions in the middle of a turn whose client no longer runs: it was killed, and sends nothing any more. */
export async function killedSessions(folder: string, turns: Turns): Promise<ReadonlySet<string>> {
  const open = Object.keys(turns).filter((id) => turns[id]?.isOpen);
  const states = await Promise.all(open.map(async (id) => clientState(folder, id)));
  return new Set(open.filter((_, at) => states[at] === "gone"));
}

/**
 * What sessions do as of a moment, and in whose turns the files changed that were found changed at it. A change belongs to
 * every turn that was under way, because it is not known which; where none was, to a person. What a session did that was killed
 * is found at the next moment, of any session; after that its turn is over.
 */
export function nextTurns(
  before: Turns,
  session: SessionMoment | undefined,
  now: Date,
  killed: ReadonlySet<string> = new Set(),
): { readonly turn: number | null; readonly by: string[]; readonly sessions: Turns } {
  const isAlive = ({ isOpen, at }: SessionTurn) => isOpen && now.getTime() - Date.parse(at) < OPEN_MS;
  const open = Object.keys(before).filter((id) => isAlive(before[id] as SessionTurn));
  const left = Object.fromEntries(
    Object.entries(before).map(([id, turn]) => [id, killed.has(id) ? { ...turn, isOpen: false } : turn]),
  );
  if (session?.turn === undefined) return { turn: null, by: open, sessions: left };
  const { id } = session;
  const known = left[id];
  const turn = (known?.turn ?? 0) + (session.turn === "begins" || known === undefined ? 1 : 0);
  const { [id]: _former, ...others } = left;
  // A session that ends twice, or between turns, had no turn.
  if (session.turn === "ends" && known?.isOpen !== true && known !== undefined)
    return { turn: known.turn, by: open, sessions: left };
  const isOpen = session.turn !== "ends";
  const sessions = Object.fromEntries(
    [...Object.entries(others), [id, { turn, isOpen, at: now.toISOString() }] as const].slice(-MOST_SESSIONS),
  );
  const isBeginning = session.turn === "begins";
  const by = isBeginning || open.includes(id) ? open : [...open, id];
  return { turn, by, sessions };
}
