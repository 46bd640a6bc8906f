import type { CommitNotes } from "../../../core/trails/document.ts";
import { IMPORT_RECORD, type ImportRecord } from "../../../core/trails/import-record.ts";
import type { ForeignPipeline } from "../../../work/import/formats/pipeline.ts";
import { foreignTime } from "../../../work/import/foreign-fields.ts";
import type { FoundArtifacts } from "../../../work/project/maintenance/imported-artifacts.ts";
import type { WorkState } from "../../../work/state/work-state.ts";
import type { WorkflowContext } from "../context.ts";
import { isName } from "../../../work/yaml/words.ts";
import { defined } from "../../../work/yaml/defined.ts";
import type { Step } from "../definition/types.ts";
import { readFileFacts } from "../engine/artifacts.ts";
import {
  isUnbound,
  newRun,
  withSteps,
  type Artifact,
  type Run,
  type RunDocument,
  type StepState,
} from "../run/run-state.ts";
import { runTrail } from "../../../work/state/run-trail.ts";
import { registeredDigest } from "../run/approval.ts";
import { documentOf } from "../run/work-document.ts";
import { loadRun } from "./examine-run.ts";
import { archiveName, isRunId } from "./run-id.ts";
import { openRunTrail, runExists } from "./run-journal.ts";

/** A pipeline of another tool, and what else its file says. */
interface PipelineImport extends FoundArtifacts {
  readonly pipeline: ForeignPipeline;
  readonly work: Partial<WorkState>;
  readonly record: ImportRecord;
}

/** Whether a pipeline can become a run: its names become those of a trail and of steps. */
export const canBeRun = ({ id, steps }: ForeignPipeline): boolean =>
  steps.length > 0 && isRunId(id) && steps.every(({ name }) => isName(name));

/**
 * Makes a run of a pipeline that another tool left behind: what was done there is done, and what remains is to come.
 * What the remaining steps run is not in the file, so that the run resumes only with a workflow; see `bindWorkflow`.
 * A newer file replaces an import that nobody has resumed yet.
 */
export async function importPipeline(
  context: Pick<WorkflowContext, "cairn" | "root" | "now">,
  { pipeline, work, files, missing, record }: PipelineImport,
  notes: CommitNotes,
) {
  const { id } = pipeline;
  const { store } = context.cairn;
  const isKnown = (await store.head(runTrail(id))) !== undefined;
  const before = isKnown ? await loadRun(context, id) : undefined;
  if (before && !isUnbound(before.head.state.run)) throw runExists(id);
  const { request, problems } = pipeline;
  const run: Run = {
    ...(await runOf(context, pipeline, files)),
    ...defined({ request }),
    ...(missing.length > 0 && { missing_at_import: missing }),
    ...(problems.length > 0 && { import_problems: problems }),
  };
  const kept = Object.entries(work).filter(([field]) => !SAID_BY_STEPS.includes(field));
  const base = { ...documentOf(run), ...Object.fromEntries(kept) } as RunDocument;
  const trail = before?.trail ?? openRunTrail(context, id);
  const checkpoint = await trail.commit(documentOf(run, base), notes);
  const bytes = new TextEncoder().encode(JSON.stringify(record));
  await store.attach(checkpoint.content_hash, new Map([[IMPORT_RECORD, bytes]]));
  return { run, checkpoint };
}

/** What the steps of the run say too: here it would be out of date after a resume. */
const SAID_BY_STEPS = "tasks active_task_id next_action phase phases_completed blockers".split(" ");

async function runOf(
  { root, now }: Pick<WorkflowContext, "root" | "now">,
  { id, unit, steps, updated_at, started_at = updated_at, problem, question }: ForeignPipeline,
  files: PipelineImport["files"],
): Promise<Run> {
  const definition = definitionOf(unit, steps, question);
  const known = steps.flatMap(({ name, state, at }) =>
    state === "to come" ? [] : [[name, STATES[state](timeOf(at, now()).toISOString())] as const],
  );
  const blank = { id, workflow: `${unit}-pipeline`, definition, inputs: {}, now: timeOf(updated_at, now()) };
  const created_at = timeOf(started_at, now()).toISOString();
  const run = withSteps({ ...newRun(blank), created_at }, Object.fromEntries(known));
  const artifacts: Record<string, Artifact> = {};
  for (const { path, step } of files) {
    const facts = await readFileFacts(root, path, { sync: true });
    if (facts) artifacts[path] = { ...facts, step, attempt: 0, at: now().toISOString() };
  }
  if (question !== undefined) return asking({ ...run, artifacts }, questionId(question.step), now());
  return steps.every(({ state }) => state === "done")
    ? { ...run, artifacts, status: "completed", archived_as: archiveName(id, now()) }
    : { ...run, artifacts, status: "paused", reason: problem ?? "It was imported." };
}

const questionId = (step: string) => `${step}-approval`;

/** The steps, one after the other, and the question after the step that it is about. */
function definitionOf(
  unit: ForeignPipeline["unit"],
  steps: ForeignPipeline["steps"],
  question: ForeignPipeline["question"],
): Step[] {
  const definition: Step[] = [];
  for (const { name } of steps) {
    definition.push(importedStep(unit, name, definition.at(-1)?.id));
    if (name !== question?.step) continue;
    const { text, options } = question;
    const asked = { ...importedStep(unit, questionId(name), name), kind: "approval" as const, [unit]: name };
    definition.push({ ...asked, question: text, options });
  }
  return definition;
}

/** A run that waits for an answer, as one does that has asked here. */
function asking(run: Run, id: string, now: Date): Run {
  const digest = registeredDigest(
    run,
    run.definition.find((step) => step.id === id)!,
  );
  const state = {
    ...NOT_STARTED_HERE,
    status: "awaiting_approval" as const,
    started_at: now.toISOString(),
    digest,
  };
  return { ...withSteps(run, { [id]: state }), status: "awaiting_approval" };
}

function importedStep(unit: ForeignPipeline["unit"], id: string, before: string | undefined): Step {
  const needs = before === undefined ? [] : [before];
  return { id, kind: "imported", needs, [unit]: id, retries: 0, backoff_ms: 0, fingerprint: "" };
}

const NOT_STARTED_HERE = { attempt: 0, failures: 0, crashes: 0 };

const STATES = {
  done: (at: string): StepState => ({ ...NOT_STARTED_HERE, status: "completed", ended_at: at, result: null }),
  "under way": (at: string): StepState => ({
    ...NOT_STARTED_HERE,
    status: "pending",
    started_at: at,
    reason: "it was under way when it was imported",
  }),
};

function timeOf(text: string, otherwise: Date): Date {
  const time = foreignTime(text);
  return Number.isNaN(time) ? otherwise : new Date(time);
}
