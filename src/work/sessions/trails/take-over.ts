import type { Cairn } from "../../state/cairn.ts";
import type { Checkpoint } from "../../../core/trails/document.ts";
import { isTaskOver } from "../../state/tasks.ts";
import type { AgentSession, WorkState } from "../../state/work-state.ts";
import type { EventContent } from "../events/session-event.ts";
import { inheritedTasks, subjectOf } from "../reduce/inherited-tasks.ts";
import { isSame, set } from "../reduce/set.ts";
import { isOfProject } from "../../handoff/items/project.ts";
import { PROJECT_TRAIL } from "../session.ts";
import { loadIfAny } from "./unfinished.ts";

const MOST_INSTRUCTIONS = 10;
const MOST_FILES = 50;

/**
 * If a session continues the work that was handed to it, a function that takes the unfinished part into its own state.
 * From then on its own record is enough, whatever becomes of the conversation with the handoff.
 */
export async function takeOver(
  cairn: Cairn,
  mine: Checkpoint<WorkState>,
  content: EventContent,
): Promise<((state: WorkState) => void) | undefined> {
  const id = mine.state.session?.handed_over;
  const origin = id === undefined ? undefined : await loadIfAny(cairn, mine.trail, { id });
  if (origin === undefined || !continuesWork(content, mine.state, origin)) return undefined;
  return (state) => inherit(state, origin);
}

/**
 * Whether a new session shows that it continues the work that was handed to it: its own list has one of the open tasks, or
 * a prompt names the session before it has done anything else. What other words mean is for the model to tell: a session
 * that was told about unfinished work may have another purpose.
 */
function continuesWork(
  { prompt, tasks = [] }: EventContent,
  mine: WorkState,
  { trail, state: left }: Checkpoint<WorkState>,
): boolean {
  const open = new Set(left.tasks.filter((task) => !isTaskOver(task)).map(subjectOf));
  const planned = tasks.flatMap((list) => list.tasks.map(subjectOf));
  if (planned.some((subject) => open.has(subject) && subject !== "" && !USUAL.test(subject))) return true;
  if (mine.tasks.length > 0 || mine.files_touched.length > 0) return false;
  return prompt?.includes(left.session?.id ?? `trail ${trail}`) === true;
}

/** Subjects that are on every list. */
const USUAL =
  /^(?:\p{L}+ )?(?:the |all )?(?:tests?|lint|linter|build|docs|documentation|changes?|changelog)$/u;

/** What the session recorded itself wins; its first prompt becomes an instruction. */
function inherit(mine: WorkState, { checkpoint_id, trail, state: left }: Checkpoint<WorkState>): void {
  const session = mine.session as AgentSession;
  if (session.took_over !== undefined) return;
  session.took_over = checkpoint_id;
  const asked = left.goal === undefined || mine.goal === left.goal ? undefined : mine.goal;
  const by = mine.goal_by?.by ?? session.goal_by ?? "person";
  const instructions = [
    ...(left.instructions ?? []).slice(-MOST_INSTRUCTIONS),
    ...(asked === undefined ? [] : [{ text: asked, at: session.started_at, by }]),
    ...(mine.instructions ?? []),
  ];
  if (instructions.length > 0) mine.instructions = instructions;
  if (left.goal !== undefined) inheritGoal(mine, session, left);
  for (const name of LISTS) {
    // What holds for the whole project is told to every session, until it is taken back.
    const isTold = trail === PROJECT_TRAIL && (name === "constraints" || name === "decisions");
    const items = left[name].filter((each) => !(isTold && isOfProject(each)));
    mine[name] = joined(items, mine[name]) as never;
  }
  set(mine, "next_action", mine.next_action ?? left.next_action);
  set(mine, "phase", mine.phase ?? left.phase);
  const imported = joined(left.imported_texts ?? [], mine.imported_texts ?? []);
  if (imported.length > 0) mine.imported_texts = imported;
  mine.variables = { ...left.variables, ...mine.variables };
  mine.files_touched = joined(left.files_touched.slice(-MOST_FILES), mine.files_touched);
  mine.tasks = [...inheritedTasks(mine, left), ...mine.tasks];
}

/** Together with who set it; otherwise it would count as set by the author of this session's first prompt. */
function inheritGoal(mine: WorkState, session: AgentSession, left: WorkState): void {
  delete mine.goal_by;
  delete session.goal_by;
  set(mine, "goal", left.goal);
  set(mine, "goal_by", left.goal_by);
  set(session, "goal_by", left.session?.goal_by);
}

const LISTS = [
  "success_criteria",
  "constraints",
  "decisions",
  "blockers",
  "gotchas",
  "checks_failing",
] as const;

function joined<Item>(left: readonly Item[], mine: readonly Item[]): Item[] {
  return [...left.filter((item) => !mine.some((each) => isSame(each, item))), ...mine];
}
