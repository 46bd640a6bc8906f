import type { Phase } from "../../checkpoints/work-state.ts";
import { CheckpointError } from "../../errors.ts";
import { oneLine } from "../../text/visible.ts";
import type { Context } from "../context.ts";
import { edit, meaningful } from "../edit.ts";
import type { Output } from "../output.ts";
import type { OptionsOf } from "../spec.ts";
import type { WORK } from "../table/work.ts";

/** Start a phase */
export async function phaseStart(
  context: Context,
  options: OptionsOf<(typeof WORK)["phase start"]>,
  output: Output,
): Promise<void> {
  let left: Phase | undefined;
  const { checkpoint, state } = await edit(context, options, output, {
    trigger: "phase",
    fresh: { name: meaningful(options.name, "The phase's name"), notes: options.notes ?? null },
    change: (state, { name, notes }) => {
      left = state.phase && isOpen(state.phase) && state.phase.name !== name ? state.phase : undefined;
      const number = options.number ?? null;
      state.phase = { name, number, status: "in_progress", started_at: context.now().toISOString(), notes };
    },
  });
  if (left) output.message(`${capital(named(left))} was not completed before.`);
  output.result({ checkpoint, phase: state.phase }, `Started ${named(state.phase as Phase)}.`);
}

/** Finish the current phase */
export async function phaseComplete(
  context: Context,
  options: OptionsOf<(typeof WORK)["phase complete"]>,
  output: Output,
): Promise<void> {
  const { checkpoint, state } = await edit(context, { ...options, mustExist: true }, output, {
    trigger: "phase",
    fresh: { id: options.output ?? null },
    change: (state, { id }) => {
      const phase = openPhase(state.phase);
      phase.status = "completed";
      // By number where there is one, so that one phase is not listed twice under two names.
      const completed = phase.number ?? phase.name;
      if (!state.phases_completed.includes(completed)) state.phases_completed.push(completed);
      if (id === null) return;
      const produced = {
        type: "phase",
        id,
        action: phase.name,
        success: true,
        timestamp: context.now().toISOString(),
      };
      state.recent_outputs = [...state.recent_outputs, produced].slice(-10);
    },
  });
  output.result(
    { checkpoint, phase: state.phase, phases_completed: state.phases_completed },
    `Completed ${named(state.phase as Phase)}.`,
  );
}

/** Say that the current phase failed */
export async function phaseFail(
  context: Context,
  options: OptionsOf<(typeof WORK)["phase fail"]>,
  output: Output,
): Promise<void> {
  const { checkpoint, state } = await edit(context, { ...options, mustExist: true }, output, {
    trigger: "phase",
    fresh: { notes: options.why === undefined ? null : meaningful(options.why, "--why") },
    change: (state, { notes }) => {
      const phase = openPhase(state.phase);
      phase.status = "failed";
      phase.notes = notes ?? phase.notes;
    },
  });
  output.result({ checkpoint, phase: state.phase }, `${capital(named(state.phase as Phase))} failed.`);
}

function isOpen({ status }: Phase): boolean {
  return status !== "completed" && status !== "failed";
}

function openPhase(phase: Phase | undefined): Phase {
  if (phase !== undefined && isOpen(phase)) return phase;
  const message =
    phase === undefined ? "No phase was started." : `${capital(named(phase))} is already ${phase.status}.`;
  throw new CheckpointError("not-found", message, { hint: "checkpoint phase start NAME" });
}

/** `phase 5 (Bootstrapping)`, or the name alone where it says so itself: `Phase 5: Bootstrapping`. */
function named({ name, number }: Phase): string {
  if (/^phase\b/i.test(name)) return oneLine(name);
  return oneLine(number === null ? `phase ${name}` : `phase ${number} (${name})`);
}

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
