import type { RecentOutput, WorkState } from "../../state/work-state.ts";
import { commitWork } from "../commit-work.ts";
import { meaningful } from "../sentence.ts";
import type { Project } from "../project.ts";
import type { InputOf } from "../../verbs/field.ts";
import type { WORK } from "./verbs.ts";

/** Records that something came out of the work: evidence, a report, a build. */
export async function outputAdd(project: Project, input: InputOf<(typeof WORK)["output add"]>) {
  const { trail, type, id, action, success = true } = input;
  const { checkpoint, state } = await commitWork(project, {
    trail,
    fresh: {
      type: meaningful(type, "The type"),
      id: meaningful(id, "The id"),
      action: action === undefined ? "" : meaningful(action, "The action"),
    },
    change: (draft, fresh) =>
      appendOutput(draft, { ...fresh, success, timestamp: project.now().toISOString() }),
  });
  return { checkpoint, output: state.recent_outputs.at(-1) as RecentOutput };
}

const MOST_OUTPUTS = 10;

/** Adds an output. Only the newest are kept. */
export function appendOutput(state: WorkState, output: RecentOutput): void {
  state.recent_outputs = [...state.recent_outputs, output].slice(-MOST_OUTPUTS);
}
