import type { PhaseStatus, WorkState } from "../../work-state.ts";
import type { ForeignFields } from "../foreign-fields.ts";
import type { ImportOrigin } from "../origin.ts";

const STATUS: Readonly<Record<string, PhaseStatus>> = {
  pending: "pending",
  in_progress: "in_progress",
  blocked: "blocked",
  complete: "completed",
  completed: "completed",
  failed: "failed",
};

/** The phases of the workflow that writes these files, in their order. Others have no number. */
const PHASES = ["REQUIREMENTS", "ARCHITECTURE", "IMPLEMENTATION", "VERIFICATION", "REFLECTION"];

/** `phase.json`: which phase a workflow is in, which are completed, what the user approved. */
export function readPhaseFile(fields: ForeignFields, { at, by }: ImportOrigin): Partial<WorkState> {
  const name = fields.text("current_phase") ?? "unknown";
  const completed = fields.objects("completed_phases").map((phase) => ({
    name: phase.text("phase") ?? "unknown",
    output: phase.text("output"),
    at: phase.text("completed_at") ?? at,
  }));
  const approved = fields.objects("user_checkpoints").map((approval) => ({
    // A record of an approval elsewhere. It permits nothing here.
    what: `${approval.text("phase") ?? "A phase"} was approved by the user`,
    why: null,
    at: approval.text("approved_at") ?? at,
    by,
  }));
  const isTorn = fields.flag("interruption_safe") === false;
  return {
    phase: {
      name,
      number: PHASES.indexOf(name) + 1 || null,
      status: fields.word("phase_status", STATUS) ?? "pending",
      // Only the first phase began when the workflow did.
      started_at: completed.length === 0 ? fields.text("started_at") : null,
      notes: null,
    },
    phases_completed: completed.map((phase) => phase.name),
    decisions: approved,
    ...(isTorn && {
      gotchas: [
        {
          text: "The phase file was being written when the work was interrupted: check the phase first.",
          at,
          by,
        },
      ],
    }),
    recent_outputs: completed.flatMap((phase) =>
      phase.output === null
        ? []
        : [{ type: "phase", id: phase.output, action: phase.name, success: true, timestamp: phase.at }],
    ),
    variables: { workflow_id: fields.text("workflow_id") },
  };
}
