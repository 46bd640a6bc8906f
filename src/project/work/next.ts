import { textOf } from "../../text/untrusted.ts";
import { readTrail } from "../choose-trail.ts";
import { commitWork } from "../commit-work.ts";
import { meaningful } from "../sentence.ts";
import type { Project } from "../project.ts";
import type { InputOf } from "../schema-parts.ts";
import type { NEXT } from "./schemas.ts";

/** Says what is to be done next. Without it, shows it. */
export async function next(project: Project, { trail, next_action }: InputOf<typeof NEXT>) {
  if (next_action === undefined) {
    const { trail: read } = await readTrail(project, trail);
    return { checkpoint: null, next_action: textOf((await read.load()).state, "next_action") ?? null };
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
