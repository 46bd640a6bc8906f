import { CheckpointError } from "../../../core/errors.ts";
import { PROJECT_TRAIL } from "../../sessions/session.ts";
import { own } from "../../../core/text/untrusted.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { chooseTrail } from "../choose-trail.ts";
import { commitWork, signed } from "../commit-work.ts";
import { loadWork } from "../reading/load-work.ts";
import type { Project } from "../project.ts";
import { findEntry } from "./find-entry.ts";
import type { InputOf } from "../../verbs/field.ts";
import type { CORRECTIONS } from "./correction-verbs.ts";

const LIST_OF = { rule: "constraints", constraint: "constraints", decision: "decisions" } as const;

/**
 * Makes a rule, a decision or the goal of one session hold for the whole project, so that every other session is told.
 * It keeps saying who recorded it. Promoting the same once more changes nothing.
 */
export async function promote(
  project: Project,
  { what, which, trail }: InputOf<(typeof CORRECTIONS)["promote"]>,
) {
  const from = chooseTrail(project, trail).name;
  if (from === PROJECT_TRAIL) throw alreadyOfProject(what);
  const state = await loadWork(project, { trail: from });
  const promoted_from = from;
  if (what === "goal") {
    const { goal, success_criteria } = state;
    if (goal === undefined) throw nothingThere(`Trail "${oneLine(from)}" has no goal.`, from);
    const { by } = signed(project);
    // Who set the goal of a session: its agent by a command, or whoever wrote the first prompt.
    const goal_by = {
      ...signed(project),
      by: state.goal_by?.by ?? state.session?.goal_by ?? by,
      promoted_from,
    };
    const { checkpoint } = await commitWork(project, {
      trail: PROJECT_TRAIL,
      ifChanged: true,
      fresh: { goal },
      change: (draft, clean) => {
        if (draft.goal === clean.goal) return;
        Object.assign(draft, { goal: clean.goal, goal_by, success_criteria });
      },
    });
    return { checkpoint, from, promoted: { text: goal, ...goal_by } };
  }
  const list = LIST_OF[what];
  if (which === undefined) throw nothingThere(`Which ${what} is meant?`, from, "usage");
  const entry = state[list][findEntry(state[list], which, list)];
  const promoted = { ...entry, promoted_from };
  const { checkpoint } = await commitWork(project, {
    trail: PROJECT_TRAIL,
    ifChanged: true,
    fresh: { promoted },
    change: (draft, clean) => {
      const entries = draft[list] as object[];
      const isThere = entries.some((each) =>
        ["text", "what", "why"].every((name) => own(each, name) === own(clean.promoted, name)),
      );
      if (!isThere) entries.push(clean.promoted);
    },
  });
  return { checkpoint, from, promoted };
}

function alreadyOfProject(what: string): CheckpointError {
  return new CheckpointError(
    "usage",
    `Trail "${PROJECT_TRAIL}" is the project's own: what is on it holds for every session already.`,
    { hint: `checkpoint promote ${what} --trail session/…\nTo see the sessions: checkpoint sessions` },
  );
}

function nothingThere(message: string, trail: string, code: "usage" | "not-found" = "not-found") {
  return new CheckpointError(code, message, {
    hint: `To see what is there: checkpoint load --trail ${trail}`,
    details: { trail },
  });
}
