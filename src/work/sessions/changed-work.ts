import type { WorkState } from "../state/work-state.ts";
import { asList } from "../../core/text/untrusted.ts";
import { isSame } from "./reduce/set.ts";

/** What others may have changed. The session's own prompts, commands and files are in its conversation. */
const SINGLE = ["goal", "next_action", "phase"] as const;
/** Lists whose items go when they are settled, and others. */
const SETTLED = ["blockers", "checks_failing", "approvals_pending"] as const;
const LISTED = ["tasks", "constraints", "decisions", "gotchas", "success_criteria", "subagents"] as const;

/** What is new or different, and how many blockers, failing checks and approvals are gone; undefined if nothing changed. */
export function changedWork(
  before: WorkState,
  after: WorkState,
): { state: Partial<WorkState>; settled: number } | undefined {
  const state: Record<string, unknown> = {};
  for (const name of SINGLE)
    if (after[name] !== undefined && !isSame(before[name], after[name])) state[name] = after[name];
  for (const name of [...SETTLED, ...LISTED]) {
    const fresh = missingFrom(before[name], after[name]);
    if (fresh.length > 0) state[name] = fresh;
  }
  const settled = SETTLED.flatMap((name) => missingFrom(after[name], before[name])).length;
  return Object.keys(state).length === 0 && settled === 0 ? undefined : { state, settled };
}

function missingFrom(known: unknown, items: unknown): unknown[] {
  return asList(items).filter((item) => !asList(known).some((each) => isSame(each, item)));
}
