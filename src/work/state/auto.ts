import { inspect } from "node:util";

import type { Json } from "../../core/objects/json.ts";
import type { CheckpointInfo } from "../../core/trails/document.ts";
import { endTask } from "./tasks.ts";
import type { Trail } from "../../core/trails/trail.ts";
import type { WorkState } from "./work-state.ts";

export interface AutoCheckpoints {
  /** A phase has ended. By number or name; the running phase is closed if it is that one. */
  phaseCompleted(phase: number | string): Promise<CheckpointInfo>;
  /** A task is done. What was waiting only for it is free to start. */
  taskCompleted(id: string, result?: Json): Promise<CheckpointInfo>;
  /** Something went wrong. The work state stays as it was at that moment: it is what the next one starts from. */
  failed(error: unknown): Promise<CheckpointInfo>;
}

/** Longer messages would fill every checkpoint that follows, because variables are carried over. */
const MAX_MESSAGE_CHARS = 2000;

/**
 * Checkpoints at the moments when work would hurt most to lose. Each is one commit, and a phase or task that
 * the work state does not know is still recorded: a safety net must not throw because of a wrong name.
 *
 * @example
 * const auto = autoCheckpoints(cairn.trail("main"));
 * await auto.taskCompleted("2", { tests: "68/68" });
 */
export function autoCheckpoints(trail: Pick<Trail<WorkState>, "commit">): AutoCheckpoints {
  return {
    phaseCompleted: (phase) =>
      trail.commit((state) => completePhase(state, phase), {
        trigger: "phase",
        notes: typeof phase === "number" ? `Phase ${phase} complete` : `Phase "${phase}" complete`,
      }),
    taskCompleted: (id, result = null) =>
      trail.commit((state) => completeTask(state, id, result), { trigger: "task" }),
    failed: (error) => {
      const { type, message } = describe(error);
      const record = (state: WorkState) => {
        state.variables.error_type = type;
        state.variables.error_msg = message;
      };
      return trail.commit(record, { trigger: "error", notes: `Error: ${type}` });
    },
  };
}

function completePhase(state: WorkState, which: number | string): void {
  const { phase } = state;
  const isRunning = phase !== undefined && (phase.number === which || phase.name === which);
  if (isRunning) phase.status = "completed";
  // Recorded by number where there is one, so that one phase is not listed twice under two names.
  const completed = isRunning ? (phase.number ?? phase.name) : which;
  if (!state.phases_completed.includes(completed)) state.phases_completed.push(completed);
  state.variables.completed_phase = completed;
}

function completeTask(state: WorkState, id: string, result: Json): void {
  const task = state.tasks.find((candidate) => candidate.id === id);
  if (task) endTask(state, task, "completed");
  state.variables.last_task = id;
  state.variables.result = result;
}

/** Whatever was thrown, in words. Never throws itself, as `String` would for an object without a prototype. */
function describe(error: unknown): { type: string; message: string } {
  const type = error instanceof Error ? error.name : typeof error;
  const message = error instanceof Error ? error.message : typeof error === "string" ? error : inspect(error);
  return { type, message: message.slice(0, MAX_MESSAGE_CHARS) };
}
