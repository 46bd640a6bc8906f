import type { CheckpointInfo } from "../../../core/trails/document.ts";
import { commitWork, signed } from "../commit-work.ts";
import { loadWork } from "../reading/load-work.ts";
import type { Project } from "../project.ts";
import { meaningful } from "../sentence.ts";
import type { InputOf } from "../../verbs/field.ts";
import type { WORK } from "./verbs.ts";

export interface GoalResult {
  /** Null when the goal was only shown. */
  readonly checkpoint: CheckpointInfo | null;
  readonly goal: string | null;
  readonly success_criteria: readonly string[];
}

/** Says what the work is for and when it is done. Without either, shows it. */
export async function goal(project: Project, input: InputOf<(typeof WORK)["goal"]>): Promise<GoalResult> {
  const { trail, goal: wanted, done_when = [] } = input;
  if (wanted === undefined && done_when.length === 0) {
    const { goal: known = null, success_criteria } = await loadWork(project, { trail });
    return { checkpoint: null, goal: known, success_criteria };
  }
  const by = signed(project);
  const { checkpoint, state } = await commitWork(project, {
    trail,
    fresh: {
      ...(wanted === undefined ? {} : { goal: meaningful(wanted, "The goal") }),
      success_criteria: done_when.map((criterion) => meaningful(criterion, "A criterion")),
    },
    change: (draft, { goal: fresh, success_criteria }) => {
      // A new goal has its own criteria; without one, they are added to those of the old.
      if (fresh !== undefined) {
        draft.goal = fresh;
        // From now on the goal is no longer what was typed as the first prompt.
        delete draft.session?.goal_by;
        if (by.by === "person") delete draft.goal_by;
        else draft.goal_by = by;
      }
      draft.success_criteria =
        fresh === undefined ? [...draft.success_criteria, ...success_criteria] : success_criteria;
    },
  });
  return { checkpoint, goal: state.goal ?? null, success_criteria: state.success_criteria };
}

/** Says what is to be done next. Without it, shows it. */
export async function next(project: Project, { trail, next_action }: InputOf<(typeof WORK)["next"]>) {
  if (next_action === undefined) {
    const { next_action: known = null } = await loadWork(project, { trail });
    return { checkpoint: null, next_action: known };
  }
  const { checkpoint, state } = await commitWork(project, {
    trail,
    fresh: { next_action: meaningful(next_action, "The next action") },
    change: (draft, fresh) => {
      draft.next_action = fresh.next_action;
    },
  });
  return { checkpoint, next_action: state.next_action ?? null };
}
