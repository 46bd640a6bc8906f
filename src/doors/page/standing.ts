import type { Project } from "../../work/project/project.ts";
import { status } from "../../work/project/reading/status.ts";
import { storeStateOf } from "../../work/project/store-state.ts";
import { isTaskOver } from "../../work/state/tasks.ts";

/** How many of each list: the newest, because Home is for one look. */
const MOST = 8;

/** Where the work stands, as `status` tells it, without what may be large. Null where nothing was saved yet. */
export async function standing(project: Project) {
  const found = await status(project, {}).catch((error: unknown) => {
    if (storeStateOf(error) === "empty") return null;
    throw error;
  });
  if (found === null) return null;
  const { trail, checkpoint, damaged_head, goal, phase, active_task, next_action } = found.status;
  const { tasks, constraints, blockers, success_criteria, checks_failing } = found.state;
  const done = tasks.filter(isTaskOver).length;
  return {
    trail,
    checkpoint_id: checkpoint.checkpoint_id,
    saved_at: checkpoint.created_at,
    damaged_head,
    goal,
    phase,
    next_action,
    active_task,
    tasks: { done, total: tasks.length },
    success_criteria: newest(success_criteria),
    constraints: newest(constraints),
    blockers: newest(blockers),
    checks_failing: newest(checks_failing),
  };
}

const newest = <Item>(items: readonly Item[]) => ({ items: items.slice(-MOST), total: items.length });
