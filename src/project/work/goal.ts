import type { CheckpointInfo } from "../../checkpoints/document.ts";
import { asList, asText, textOf } from "../../text/untrusted.ts";
import { readTrail } from "../choose-trail.ts";
import { commitWork } from "../commit-work.ts";
import { meaningful } from "../sentence.ts";
import type { Project } from "../project.ts";
import type { InputOf } from "../schema-parts.ts";
import type { GOAL } from "./schemas.ts";

export interface GoalResult {
  /** Null when the goal was only shown. */
  readonly checkpoint: CheckpointInfo | null;
  readonly goal: string | null;
  readonly success_criteria: readonly string[];
}

/** Says what the work is for and when it is done. Without either, shows it. */
export async function goal(project: Project, input: InputOf<typeof GOAL>): Promise<GoalResult> {
  const { trail, goal: wanted, done_when = [] } = input;
  if (wanted === undefined && done_when.length === 0) return showGoal(project, trail);
  const { checkpoint, state } = await commitWork(project, {
    trail,
    fresh: {
      ...(wanted === undefined ? {} : { goal: meaningful(wanted, "The goal") }),
      success_criteria: done_when.map((criterion) => meaningful(criterion, "A criterion")),
    },
    change: (draft, { goal: fresh, success_criteria }) => {
      // A new goal has its own criteria; without one, they are added to those of the old.
      if (fresh !== undefined) draft.goal = fresh;
      draft.success_criteria =
        fresh === undefined ? [...draft.success_criteria, ...success_criteria] : success_criteria;
    },
  });
  return { checkpoint, goal: state.goal ?? null, success_criteria: state.success_criteria };
}

async function showGoal(project: Project, named: string | undefined): Promise<GoalResult> {
  const { trail } = await readTrail(project, named);
  const { state } = await trail.load();
  const success_criteria = asList(state.success_criteria).map((criterion) => asText(criterion) ?? "?");
  return { checkpoint: null, goal: textOf(state, "goal") ?? null, success_criteria };
}
