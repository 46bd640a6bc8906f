import type { Decision } from "../../checkpoints/work-state.ts";
import { commitWork, signed } from "../commit-work.ts";
import { meaningful } from "../sentence.ts";
import type { Project } from "../project.ts";
import type { InputOf } from "../schema-parts.ts";
import type { DECIDE } from "./schemas.ts";

/** Records a decision and its reason. */
export async function decide(project: Project, { trail, what, why }: InputOf<typeof DECIDE>) {
  const { checkpoint, state } = await commitWork(project, {
    trail,
    fresh: {
      what: meaningful(what, "The decision"),
      why: why === undefined ? null : meaningful(why, "The reason"),
    },
    change: (draft, fresh) => void draft.decisions.push({ ...fresh, ...signed(project) }),
  });
  return { checkpoint, decision: state.decisions.at(-1) as Decision };
}
