import type { PhaseStatus } from "../../state/work-state.ts";
import type { ForeignFields } from "../foreign-fields.ts";
import { stamp, type ImportOrigin } from "../origin.ts";
import { phaseProblems, PHASES } from "./phase-problems.ts";
import type { ForeignPipeline, ForeignWork } from "./pipeline.ts";

const STATUS: Readonly<Record<string, PhaseStatus>> = {
  pending: "pending",
  in_progress: "in_progress",
  blocked: "blocked",
  complete: "completed",
  completed: "completed",
  failed: "failed",
};

const NAMES = Object.fromEntries(PHASES.map((name) => [name.toLowerCase(), name]));

/** `phase.json`: which phase a workflow is in, which are completed, what the user approved. */
export function readPhaseFile(fields: ForeignFields, origin: ImportOrigin): ForeignWork {
  const { at, by } = origin;
  fields.require("current_phase");
  const id = fields.text("workflow_id");
  const name = fields.word("current_phase", NAMES) ?? "REQUIREMENTS";
  const started_at = fields.time("started_at");
  const updated = fields.time("last_updated");
  const completed = fields.objects("completed_phases").map((phase) => ({
    name: phase.word("phase", NAMES) ?? "REQUIREMENTS",
    output: phase.text("output"),
    at: phase.time("completed_at"),
  }));
  const approved = fields.objects("user_checkpoints").map((approval) => ({
    phase: approval.word("phase", NAMES),
    at: approval.time("approved_at"),
  }));
  const isTorn = fields.flag("interruption_safe") === false;
  const status = fields.word("phase_status", STATUS) ?? "pending";
  const phases = { name, status, started_at, updated, completed, approved, isTorn };
  const problems = phaseProblems(phases, at);
  const updated_at = updated ?? at;
  const parts = {
    phase: {
      name,
      number: PHASES.indexOf(name) + 1,
      status,
      // Only the first phase began when the workflow did.
      started_at: completed.length === 0 ? started_at : null,
      notes: null,
    },
    phases_completed: completed.map((phase) => phase.name),
    // A record of an approval elsewhere. It permits nothing here.
    decisions: approved.map((approval) => ({
      what: `${approval.phase ?? "A phase"} was approved by the user`,
      why: null,
      at: approval.at ?? at,
      by,
    })),
    ...(problems.length > 0 && { gotchas: problems.map((text) => stamp({ text }, origin)) }),
    recent_outputs: completed.flatMap((phase) =>
      phase.output === null
        ? []
        : [{ type: "phase", id: phase.output, action: phase.name, success: true, timestamp: phase.at ?? at }],
    ),
    variables: {
      workflow_id: id,
      ...(started_at !== null && { started_at }),
      ...(updated !== null && { last_updated: updated }),
    },
  };
  const done = completed.map((phase) => ({ ...phase, at: phase.at ?? updated_at }));
  const last = status === "completed" ? [...done, { name, output: null, at: updated_at }] : done;
  const pipeline = {
    ...pipelineOf(last, name, updated_at),
    problem: problemOf(name, status),
    problems,
    ...(started_at !== null && { started_at }),
  };
  return { parts, ...(id !== null && { pipeline: { id, ...pipeline } }) };
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
): Omit<ForeignPipeline, "id" | "problem" | "problems"> {
  const ended = new Map(done.map((phase) => [phase.name, phase.at]));
  return {
    unit: "phase",
    steps: PHASES.map((name) => ({
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
