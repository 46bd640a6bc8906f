import { isTaskOver } from "../../state/tasks.ts";
import type { WorkState } from "../../state/work-state.ts";
import { asList, own, textOf } from "../../../core/text/untrusted.ts";
import type { EventContent } from "../events/session-event.ts";
import { subjectOf } from "../reduce/inherited-tasks.ts";

/**
 * Whether a new session shows that it continues the work that was handed to it: its own list has one of the open tasks, or
 * a prompt names the session before it has done anything else. What other words mean is for the model to tell: a session
 * that was told about unfinished work may have another purpose.
 */
export function continuesWork(
  facts: EventContent,
  mine: WorkState,
  { trail, state }: { trail: string; state: WorkState },
): boolean {
  if (plansTheSame(facts, state)) return true;
  if (mine.tasks.length > 0 || mine.files_touched.length > 0) return false;
  return facts.prompt?.includes(textOf(own(state, "session"), "id") ?? `trail ${trail}`) === true;
}

/** Subjects that are on every list. */
const USUAL =
  /^(?:\p{L}+ )?(?:the |all )?(?:tests?|lint|linter|build|docs|documentation|changes?|changelog)$/u;

/** The new session's own list has one of the open tasks. */
function plansTheSame({ tasks = [] }: EventContent, state: WorkState): boolean {
  const open = new Set(openSubjects(state));
  const isSame = (subject: string) => open.has(subject) && subject !== "" && !USUAL.test(subject);
  return tasks.some((list) => list.tasks.some((task) => isSame(subjectOf(task))));
}

function openSubjects(state: WorkState): string[] {
  return asList(state.tasks)
    .filter((task) => !isTaskOver(task))
    .map(subjectOf);
}
