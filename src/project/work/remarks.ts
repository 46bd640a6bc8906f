import type { Remark } from "../../checkpoints/work-state.ts";
import { commitWork, signed } from "../commit-work.ts";
import { meaningful } from "../sentence.ts";
import type { Project } from "../project.ts";
import type { InputOf } from "../schema-parts.ts";
import { removeEntry } from "./find-entry.ts";
import type { BLOCK, UNBLOCK } from "./schemas.ts";

/** Adds a rule that every later agent must keep. */
export async function constraint(project: Project, { trail, text }: InputOf<typeof BLOCK>) {
  const { checkpoint, state } = await commitWork(project, {
    trail,
    fresh: { text: meaningful(text, "The rule") },
    change: (draft, fresh) => void draft.constraints.push({ ...fresh, ...signed(project) }),
  });
  const number = state.constraints.length;
  return { checkpoint, number, constraint: state.constraints[number - 1] as Remark };
}

/** Records what the work waits for. */
export async function block(project: Project, { trail, text }: InputOf<typeof BLOCK>) {
  const { checkpoint, state } = await commitWork(project, {
    trail,
    fresh: { text: meaningful(text, "The blocker") },
    change: (draft, fresh) => void draft.blockers.push({ ...fresh, ...signed(project) }),
  });
  const number = state.blockers.length;
  return { checkpoint, number, blocker: state.blockers[number - 1] as Remark };
}

/** Removes a blocker. */
export async function unblock(project: Project, input: InputOf<typeof UNBLOCK>) {
  const listed = { noun: "blocker", shownBy: "checkpoint status" };
  const { removed, ...rest } = await removeEntry(project, "blockers", input, listed);
  return { ...rest, removed: removed as Remark };
}
