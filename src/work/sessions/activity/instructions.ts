import type { Remark, WorkState } from "../../state/work-state.ts";
import { shortened } from "../../../core/text/shorten.ts";

const MOST_INSTRUCTIONS = 40;
/** The last ones stay word for word; longer ones before them are shortened. */
const WHOLE_INSTRUCTIONS = 3;
const LONGEST_EARLIER = 1500;

interface TypedPrompt extends Remark {
  by: string;
  /** Whether it only makes sense as an answer: to a question of the client, or to a call that was refused. */
  readonly isReply: boolean;
  readonly answers?: string | undefined;
  readonly isMidTurn?: boolean | undefined;
}

/** A prompt as its hook reports it: nobody has confirmed yet that a person typed it. */
export function reducePrompt(state: WorkState, at: string, prompt: string | undefined): void {
  if (prompt === undefined) return;
  const { activity, instructions, goal, session } = state;
  const last = instructions?.at(-1)?.text ?? (session?.goal_by === undefined ? undefined : goal);
  const turn = activity?.turns.at(-1);
  // The client may have written it to its transcript first.
  const isNew = turn?.said.length === 0;
  if (last !== prompt || activity?.read === undefined || !isNew)
    add(state, { text: prompt, at, by: "unconfirmed", isReply: false });
}

/** A prompt as the transcript has it. If its hook came first, it is confirmed. */
export function noteInstruction(state: WorkState, typed: TypedPrompt, isAgain: boolean): void {
  const isOpen = (by: string | undefined) => isAgain || by === "unconfirmed";
  // Longer ones may have been shortened since.
  const short = shortened(typed.text, LONGEST_EARLIER);
  const known = state.instructions?.findLast(
    ({ text, by }) => isOpen(by) && (text === typed.text || text === short),
  );
  if (known !== undefined) {
    known.by = typed.by;
    if (typed.answers !== undefined) known.answers = typed.answers;
    if (typed.isMidTurn === true) known.meanwhile = true;
  } else if (state.goal === typed.text && isOpen(state.session?.goal_by)) setAuthor(state, typed.by);
  else add(state, typed);
}

/** The first prompt is the goal, unless there is one. A bare slash command or an answer says too little for that. */
function add(state: WorkState, { answers, isReply, isMidTurn, ...typed }: TypedPrompt): void {
  const before = state.instructions ?? [];
  if (state.goal === undefined && !isReply && !/^\/[\w:.-]+$/.test(typed.text)) {
    state.goal = typed.text;
    return setAuthor(state, typed.by);
  }
  if (before.length === 0 && state.goal === typed.text) return;
  const added = {
    ...typed,
    ...(answers === undefined ? {} : { answers }),
    ...(isMidTurn === true ? { meanwhile: true as const } : {}),
  };
  const all = [...before, added].slice(-MOST_INSTRUCTIONS);
  state.instructions = all.map((each, index) =>
    index < all.length - WHOLE_INSTRUCTIONS && each.text.length > LONGEST_EARLIER
      ? { ...each, text: shortened(each.text, LONGEST_EARLIER) }
      : each,
  );
}

/** Who set the goal, if it is a prompt. */
function setAuthor({ session }: WorkState, by: string): void {
  if (session !== undefined) session.goal_by = by;
}

/**
 * A goal that the agent gave itself with a tool of its client takes the place of the first prompt, which stays as an
 * instruction. One that was recorded with us stays.
 */
export function noteGoal(state: WorkState, goal: string): void {
  const { session, goal: before, instructions = [] } = state;
  const typedBy = session?.goal_by;
  const isOurs = before !== undefined && typedBy === undefined && state.goal_by?.by !== BY_TOOL;
  if (session === undefined || isOurs || before === goal) return;
  if (before !== undefined && typedBy !== undefined)
    state.instructions = [{ text: before, at: session.started_at, by: typedBy }, ...instructions];
  delete session.goal_by;
  state.goal = goal;
  state.goal_by = { by: BY_TOOL };
}

const BY_TOOL = "agent";
