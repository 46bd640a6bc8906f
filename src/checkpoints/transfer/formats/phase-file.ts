import type { PhaseStatus } from "../../work-state.ts";
import type { ForeignFields } from "../foreign-fields.ts";
import type { ImportOrigin } from "../origin.ts";
import { remainingOf, type ForeignPipeline, type ForeignWork } from "./pipeline.ts";

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
export function readPhaseFile(fields: ForeignFields, { at, by }: ImportOrigin): ForeignWork {
  const id = fields.text("workflow_id");
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
  const status = fields.word("phase_status", STATUS) ?? "pending";
  // Only looked at: it stays among the fields that are kept as they are.
  const { last_updated } = fields.rest();
  const updated_at = typeof last_updated === "string" ? last_updated : at;
  const parts = {
    phase: {
      name,
      number: PHASES.indexOf(name) + 1 || null,
      status,
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
    variables: { workflow_id: id },
  };
  const done = status === "completed" ? [...completed, { name, output: null, at: updated_at }] : completed;
  return {
    parts,
    ...(id !== null && {
      pipeline: { id, ...pipelineOf(done, name, updated_at), problem: problemOf(name, status) },
    }),
  };
}

interface CompletedPhase {
  readonly name: string;
  readonly output: string | null;
  readonly at: string;
}

function pipelineOf(
  done: readonly CompletedPhase[],
  current: string,
  updated_at: string,
): Omit<ForeignPipeline, "id" | "problem"> {
  const ended = new Map(done.map((phase) => [phase.name, phase.at]));
  const named = [...new Set([...ended.keys(), current])];
  return {
    unit: "phase",
    steps: [...named, ...remainingOf(named, PHASES)].map((name) => ({
      name,
      state: ended.has(name) ? "done" : name === current ? "under way" : "to come",
      at: ended.get(name) ?? updated_at,
    })),
    artifacts: done.flatMap(({ name, output }) => (output === null ? [] : [{ path: output, step: name }])),
    artifactsAre: "in the project",
    updated_at,
  };
}

const problemOf = (phase: string, status: PhaseStatus) =>
  status === "failed" || status === "blocked" ? `Phase ${phase} was ${status}.` : null;
