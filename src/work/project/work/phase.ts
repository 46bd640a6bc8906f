import { read } from "../../shape/read.ts";
import { FIELDS } from "../../state/fields.ts";
import type { Phase, WorkState } from "../../state/work-state.ts";
import { CheckpointError } from "../../../core/errors.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { capitalized, phaseWords } from "../../state/words.ts";
import { commitWork } from "../commit-work.ts";
import { meaningful } from "../sentence.ts";
import type { Project } from "../project.ts";
import { appendOutput } from "./outputs.ts";
import type { InputOf } from "../../verbs/field.ts";
import type { WORK } from "./verbs.ts";

/** Starts a phase. If another one was still open, says so. */
export async function phaseStart(project: Project, input: InputOf<(typeof WORK)["phase start"]>) {
  let left: Phase | undefined;
  const { checkpoint, state } = await commitWork(project, {
    trail: input.trail,
    trigger: "phase",
    fresh: { name: meaningful(input.name, "The phase's name"), notes: input.notes ?? null },
    change: (draft, { name, notes }) => {
      const before = read(FIELDS.phase.shape, draft.phase);
      left = before && isOpen(before) && before.name !== name ? before : undefined;
      const started_at = project.now().toISOString();
      draft.phase = { name, number: input.number ?? null, status: "in_progress", started_at, notes };
    },
  });
  if (left) project.notices.message(`${capitalized(oneLine(phaseWords(left)))} was not completed before.`);
  return { checkpoint, phase: state.phase as Phase };
}

/** Finishes the current phase. */
export async function phaseComplete(
  project: Project,
  { trail, output }: InputOf<(typeof WORK)["phase complete"]>,
) {
  const { checkpoint, state } = await commitWork(project, {
    trail,
    trigger: "phase",
    mustExist: true,
    fresh: { id: output ?? null },
    change: (draft, { id }) => {
      const phase = openPhase(draft);
      phase.status = "completed";
      // By number where there is one, so that one phase is not listed twice under two names.
      const completed = phase.number ?? phase.name;
      if (!draft.phases_completed.includes(completed)) draft.phases_completed.push(completed);
      if (id === null) return;
      const timestamp = project.now().toISOString();
      appendOutput(draft, { type: "phase", id, action: phase.name, success: true, timestamp });
    },
  });
  return { checkpoint, phase: state.phase as Phase, phases_completed: state.phases_completed };
}

/** Says that the current phase failed. */
export async function phaseFail(project: Project, { trail, why }: InputOf<(typeof WORK)["phase fail"]>) {
  const { checkpoint, state } = await commitWork(project, {
    trail,
    trigger: "phase",
    mustExist: true,
    fresh: { notes: why === undefined ? null : meaningful(why, "The reason") },
    change: (draft, { notes }) => {
      const phase = openPhase(draft);
      phase.status = "failed";
      phase.notes = notes ?? phase.notes;
    },
  });
  return { checkpoint, phase: state.phase as Phase };
}

function isOpen({ status }: Phase): boolean {
  return status !== "completed" && status !== "failed";
}

/** The phase to change. It is as it was stored, so what is no phase is not there. */
function openPhase(draft: WorkState): Phase {
  const phase = read(FIELDS.phase.shape, draft.phase);
  if (phase !== undefined && isOpen(phase)) return (draft.phase = phase);
  const message =
    phase === undefined
      ? "No phase was started."
      : `${capitalized(oneLine(phaseWords(phase)))} is already ${phase.status}.`;
  throw new CheckpointError("not-found", message, { hint: "checkpoint phase start NAME" });
}
