import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { Phase } from "../../state/work-state.ts";
import { parsePlan, type PlanPhase } from "./plan.ts";
import { isInside } from "../../machine/recorded-path.ts";
import { errorCode, readBounded } from "../../machine/read-bounded.ts";

/** Where the work stands according to a plan, or why that is unknown. */
export type PlanState =
  | { readonly phase: Phase; readonly phases_completed: (number | string)[]; readonly reason?: never }
  | { readonly phase?: never; readonly phases_completed?: never; readonly reason: string };

const MAX_PLAN_BYTES = 2 ** 20;

/**
 * Reads the phase from an implementation plan in Markdown. The path comes from the project's
 * configuration, so the file must be inside the project, links followed. Never throws.
 */
export function readPlanFile(root: string, path: string): PlanState {
  let file: string;
  try {
    file = realpathSync(resolve(root, path));
    if (!isInside(realpathSync(root), file)) return { reason: `the plan "${path}" is outside the project` };
  } catch (error) {
    return { reason: `the plan "${path}" cannot be found (${errorCode(error) ?? "unknown error"})` };
  }
  const { bytes, problem } = readBounded(file, MAX_PLAN_BYTES);
  if (bytes === undefined) return { reason: `the plan "${path}": ${problem}` };
  const phases = parsePlan(bytes.toString("utf8"));
  return planState(phases) ?? { reason: `the plan "${path}" has no heading like "## Phase 1: …"` };
}

/**
 * The current phase is the first that is not completed, or the last if all are. Skipped phases do not count.
 */
export function planState(phases: readonly PlanPhase[]): PlanState | undefined {
  const kept = phases.filter(({ status }) => status !== "skipped");
  const current = kept.find(({ status }) => status !== "completed") ?? kept.at(-1);
  if (current === undefined || current.status === "skipped") return undefined;
  const { name, number, status } = current;
  const completed = kept.filter((phase) => phase.status === "completed");
  return {
    phase: { name, number, status, started_at: null, notes: null },
    phases_completed: completed.map((phase) => phase.number ?? phase.name),
  };
}
