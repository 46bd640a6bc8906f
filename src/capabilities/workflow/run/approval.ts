import { CheckpointError } from "../../../core/errors.ts";
import { defined } from "../../../work/yaml/defined.ts";
import { fingerprintOf } from "../../../core/objects/fingerprint.ts";
import { ancestorsOf, descendantsOf } from "../definition/graph.ts";
import type { Step } from "../definition/types.ts";
import {
  stateOf,
  stepOf,
  stepsWith,
  withSteps,
  type Artifact,
  type ApprovalDecision,
  type Run,
} from "./run-state.ts";
import { isOver } from "../../../work/state/run-trail.ts";

/** The files that a person reviews before deciding: what the steps before the question produced. */
export function artifactsBefore(run: Run, step: Step): Artifact[] {
  if (Object.keys(run.artifacts).length === 0) return [];
  const before = ancestorsOf(step.id, run.definition);
  return Object.values(run.artifacts).filter((artifact) => before.has(artifact.step));
}

/** Identifies the content of these files. */
export function digestOfFiles(files: readonly Pick<Artifact, "path" | "sha256">[]): string {
  return fingerprintOf(Object.fromEntries(files.map(({ path, sha256 }) => [path, sha256])));
}

/** The digest of the registered files, for a question that is asked now. */
export const registeredDigest = (run: Run, step: Step): string => digestOfFiles(artifactsBefore(run, step));

/** The question named, or the only open one. */
export function openQuestion(run: Run, id: string | undefined): Step {
  if (isOver(run.status)) throw nothingOpen(run);
  const open = stepsWith(run, "awaiting_approval");
  if (id !== undefined) {
    const step = stepOf(run, id);
    if (step === undefined) throw noSuchStep(run, id);
    if (!open.includes(step)) throw notAsked(run, step);
    return step;
  }
  const [only, ...others] = open;
  if (only === undefined) throw nothingOpen(run);
  if (others.length > 0) throw severalOpen(run, open);
  return only;
}

/** Puts a decision into the run. Pure. A rejection fails the step, with the reason. */
export function decide(run: Run, step: Step, decision: ApprovalDecision): Run {
  const state = stateOf(run, step.id);
  if (state.status !== "awaiting_approval") throw notAsked(run, step);
  const { option, by, at, reason, approved } = decision;
  if (option !== undefined && !step.options?.includes(option)) throw noSuchOption(step, option);
  if (approved && step.options !== undefined && option === undefined) throw optionNeeded(run, step);
  const words = `Rejected by ${by}${reason === undefined ? "" : `: ${reason}`}.`;
  const outcome = approved
    ? { status: "completed" as const, result: { approved, by, at, ...defined({ option, reason }) } }
    : { status: "failed" as const, reason: words };
  return withSteps(run, {
    [step.id]: { ...state, ...outcome, ended_at: at, decision, fingerprint: step.fingerprint },
  });
}

/** Approvals whose files have changed since, and that no later step has used yet: these are asked again. */
export function outdatedApprovals(run: Run, current: ReadonlyMap<string, string | undefined>): Step[] {
  return run.definition.filter((step) => {
    const { status, decision } = stateOf(run, step.id);
    if (step.kind !== "approval" || status !== "completed" || decision === undefined) return false;
    const later = [...descendantsOf(step.id, run.definition)];
    if (later.some((id) => ["completed", "running"].includes(stateOf(run, id).status))) return false;
    const files = artifactsBefore(run, step).map(({ path }) => ({
      path,
      sha256: current.get(path) ?? "missing",
    }));
    return digestOfFiles(files) !== decision.digest;
  });
}

function noSuchStep({ id, definition }: Run, step: string): CheckpointError {
  const questions = definition.filter(({ kind }) => kind === "approval").map((known) => known.id);
  return new CheckpointError("not-found", `Run "${id}" has no step "${step}".`, {
    hint: `Its questions are ${questions.join(", ") || "none"}.`,
    details: { run: id, step },
  });
}

function notAsked(run: Run, step: Step): CheckpointError {
  const { status, decision } = stateOf(run, step.id);
  const why = decision
    ? `was ${decision.approved ? "approved" : "rejected"} by ${decision.by}`
    : `is ${status}`;
  return new CheckpointError(
    "conflict",
    `Step "${step.id}" of run "${run.id}" is not waiting for a decision: it ${why}.`,
    { hint: `checkpoint runs show ${run.id}`, details: { run: run.id, step: step.id, status } },
  );
}

function nothingOpen({ id, status }: Run): CheckpointError {
  return new CheckpointError(
    "conflict",
    status === "awaiting_approval"
      ? `All questions of run "${id}" have been decided.`
      : `Run "${id}" is ${status.replace("_", " ")}: it waits for no decision.`,
    {
      hint: `checkpoint ${status === "awaiting_approval" ? "resume" : "runs show"} ${id}`,
      details: { run: id, status },
    },
  );
}

function severalOpen({ id }: Run, open: readonly Step[]): CheckpointError {
  return new CheckpointError("usage", `Run "${id}" waits for ${open.length} decisions.`, {
    hint: open.map((step) => `checkpoint approve ${id} ${step.id}`).join("\n"),
    details: { run: id, steps: open.map((step) => step.id) },
  });
}

function noSuchOption({ id, options = [] }: Step, option: string): CheckpointError {
  return new CheckpointError("usage", `"${option}" is not an option of "${id}".`, {
    hint:
      options.length === 0 ? "It has none: leave --choose out." : `The options are ${options.join(", ")}.`,
    details: { step: id, option },
  });
}

function optionNeeded({ id }: Run, step: Step): CheckpointError {
  return new CheckpointError("usage", `"${step.question}" wants one of: ${step.options!.join(", ")}.`, {
    hint: `checkpoint approve ${id} ${step.id} --choose ${step.options![0]}`,
    details: { run: id, step: step.id },
  });
}
