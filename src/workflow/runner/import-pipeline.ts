import type { CommitNotes } from "../../checkpoints/document.ts";
import { IMPORT_RECORD, type ImportRecord } from "../../checkpoints/import-record.ts";
import type { ForeignPipeline } from "../../checkpoints/transfer/formats/pipeline.ts";
import type { WorkState } from "../../checkpoints/work-state.ts";
import type { WorkflowContext } from "../context.ts";
import { isName } from "../definition/fields.ts";
import type { Step } from "../definition/types.ts";
import { readFileFacts } from "../engine/artifacts.ts";
import {
  isUnbound,
  newRun,
  runTrail,
  withSteps,
  type Artifact,
  type Run,
  type RunDocument,
  type StepState,
} from "../run/run-state.ts";
import { documentOf } from "../run/work-document.ts";
import { loadRun } from "./examine-run.ts";
import { archiveName, isRunId } from "./run-id.ts";
import { openRunTrail, runExists } from "./run-journal.ts";

/** A pipeline of another tool, and what else its file says. */
export interface PipelineImport {
  readonly pipeline: ForeignPipeline;
  readonly work: Partial<WorkState>;
  /** Its artifacts that are in the project, by their paths below its root. */
  readonly files: readonly { readonly path: string; readonly step: string }[];
  /** The paths of those that are not there. */
  readonly missing: readonly string[];
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
  const found = await runOf(context, pipeline, files);
  const run: Run = missing.length === 0 ? found : { ...found, missing_at_import: missing };
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
  { id, unit, steps, updated_at, problem }: ForeignPipeline,
  files: PipelineImport["files"],
): Promise<Run> {
  const definition = steps.map(({ name }, index) => importedStep(unit, name, steps[index - 1]?.name));
  const known = steps.flatMap(({ name, state, at }) =>
    state === "to come" ? [] : [[name, STATES[state](timeOf(at, now()).toISOString())] as const],
  );
  const blank = { id, workflow: `${unit}-pipeline`, definition, inputs: {}, now: timeOf(updated_at, now()) };
  const run = withSteps(newRun(blank), Object.fromEntries(known));
  const artifacts: Record<string, Artifact> = {};
  for (const { path, step } of files) {
    const facts = await readFileFacts(root, path, { sync: true });
    if (facts) artifacts[path] = { ...facts, step, attempt: 0, at: now().toISOString() };
  }
  return steps.every(({ state }) => state === "done")
    ? { ...run, artifacts, status: "completed", archived_as: archiveName(id, now()) }
    : { ...run, artifacts, status: "paused", reason: problem ?? "It was imported." };
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

/** A time in a file of another tool. Python writes UTC without saying so. */
function timeOf(text: string, otherwise: Date): Date {
  const time = new Date(/Z$|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(time.getTime()) ? otherwise : time;
}
