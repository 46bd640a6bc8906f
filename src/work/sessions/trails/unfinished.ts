import type { Cairn } from "../../state/cairn.ts";
import type { Checkpoint } from "../../../core/trails/document.ts";
import { isTaskOver } from "../../state/tasks.ts";
import { readWorkState, type WorkState } from "../../state/work-state.ts";
import { isCheckpointError } from "../../../core/errors.ts";
import { isGoalOfProject, isOfProject } from "../../handoff/items/project.ts";
import { PROJECT_TRAIL } from "../session.ts";

type Found = Checkpoint<WorkState>;

/** Trails that hold no work of their own. */
const OTHER_TRAILS = /^(run|progress|thread|transcript|agent-sdk|openai-agents)\/|\/agent\//;
/** How many of the most recent trails are searched; `checkpoint list --all` shows the others. */
const MOST_LOOKED_AT = 20;

/** The newest unfinished work of this project, on another session's trail or on any other. */
export async function newestUnfinished(cairn: Cairn, ownTrail: string): Promise<Found | undefined> {
  for await (const found of unfinishedWork(cairn)) {
    // An import moved its trail last, but is not the latest work.
    if (found.trail === ownTrail || found.trigger.startsWith("import")) continue;
    if (found.trail !== PROJECT_TRAIL || isUnfinished(withoutRules(found.state))) return found;
  }
  return undefined;
}

const MOST_ENDED = 5;

/** The last session that did something and ended normally. Nothing of it is open, but the next one may continue from there. */
export async function lastEnded(cairn: Cairn, ownTrail: string): Promise<Found | undefined> {
  const names = (await cairn.trails({ prefix: "session/" })).map(({ name }) => name);
  const others = names.filter((name) => name !== ownTrail && !OTHER_TRAILS.test(name));
  for (const name of others.slice(0, MOST_ENDED)) {
    const found = await loadIfAny(cairn, name);
    if (found === undefined || found.trigger.startsWith("import")) continue;
    const { activity, files_touched, commands } = found.state;
    if ([activity?.edits ?? [], files_touched, commands].some((list) => list.length > 0)) return found;
  }
  return undefined;
}

/** Rules of the project are told to every session anyway: they are not work that another session left. */
function withoutRules(state: WorkState): WorkState {
  const { goal: _goal, ...rest } = state;
  const decisions = state.decisions.filter((each) => !isOfProject(each));
  return { ...(isGoalOfProject(state) ? rest : state), decisions };
}

/** Heads of trails with unfinished work that no session has taken over, the most recent first. */
export async function* unfinishedWork(
  cairn: Cairn,
  onDamage?: LoadOptions["onDamage"],
): AsyncGenerator<Found> {
  const trails = (await cairn.trails()).filter(({ name }) => !OTHER_TRAILS.test(name));
  const takenOver = new Set<string>();
  for (const { name } of trails.slice(0, MOST_LOOKED_AT)) {
    const found = await loadIfAny(cairn, name, { onDamage });
    if (found === undefined) continue;
    if (isUnfinished(found.state) && !takenOver.has(found.checkpoint_id)) yield found;
    takenOver.add(found.state.session?.took_over ?? "");
  }
}

interface LoadOptions {
  readonly id?: string;
  readonly onDamage?: ((trail: string) => void) | undefined;
}

/**
 * A checkpoint of a trail; undefined if there is none, or if it was pruned. A damaged one must not keep a session from
 * starting; `verify` reports it.
 */
export async function loadIfAny(
  cairn: Cairn,
  trail: string,
  { id, onDamage }: LoadOptions = {},
): Promise<Found | undefined> {
  try {
    const found = await cairn.trail(trail).load(id);
    return { ...found, state: readWorkState(found.state) };
  } catch (error) {
    if (!isCheckpointError(error)) throw error;
    if (error.code === "corrupt") onDamage?.(trail);
    return undefined;
  }
}

/** Whether there is anything to hand over. */
export function hasWork(state: WorkState): boolean {
  const { tasks, instructions = [], decisions, files_touched, blockers } = state;
  const lists = [tasks, instructions, decisions, files_touched, blockers];
  return (state.goal ?? state.next_action) !== undefined || lists.some((list) => list.length > 0);
}

/**
 * Something is open or broke off. Work without a task list is over once its session was closed. A check that fails is not
 * enough: the next session sees it fail itself, and may have nothing to do with it.
 */
export function isUnfinished(state: WorkState): boolean {
  if (!hasWork(state)) return false;
  const { tasks, blockers, approvals_pending, phase, session } = state;
  if (blockers.length > 0 || approvals_pending.length > 0) return true;
  if (!tasks.every(isTaskOver) || phase?.status === "in_progress") return true;
  const status = session?.status ?? "";
  return ["running", "failed"].includes(status) || (tasks.length === 0 && status !== "ended");
}
