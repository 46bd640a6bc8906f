import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

import { readGitHead } from "../../capture/git/git-head.ts";
import { startWorkspace } from "../../capture/git/git-workspace.ts";
import type { Checkpoint } from "../../checkpoints/document.ts";
import type { Trail } from "../../checkpoints/trail.ts";
import { CheckpointError, isCheckpointError } from "../../errors.ts";
import { isModule } from "../definition/is-module.ts";
import type { Step, Workflow } from "../definition/types.ts";
import type { WorkflowContext } from "../context.ts";
import { findOutputs, readFacts } from "../engine/artifacts.ts";
import { checkResume, type ResumeVerdict } from "../run/resume-check.ts";
import type { OpenChanges } from "../run/check-definition.ts";
import { runTrail, stateOf, type Artifact, type Run, type RunDocument } from "../run/run-state.ts";
import { openRunTrail } from "./run-journal.ts";
import { isLocked } from "./run-lock.ts";
import { runFolder } from "./run-folder.ts";

export interface ExamineOptions {
  readonly workflow?: Workflow | undefined;
  readonly takeOver?: boolean;
  readonly isTrusted?: boolean;
  /** A person vouches for changed artifacts: they are registered as they are now. */
  readonly acceptChanges?: boolean;
  /** Whether a definition that is a program may be loaded, which runs it. Looking at a run must not. */
  readonly mayLoadPrograms?: boolean;
  /** What the run would be, where that is to be looked at: a fork of it. */
  readonly as?: Run | undefined;
}

/** A run, looked at from all sides before it goes on. */
export interface Examined {
  readonly run: Run;
  /** The trail and its head, as they were loaded: a state of thousands of steps is not read twice. */
  readonly trail: Trail<RunDocument>;
  readonly head: Checkpoint<RunDocument>;
  /** The definition as it is now; undefined when its file is gone. */
  readonly workflow: Workflow | undefined;
  /** What the registered files contain now, by path; missing ones are undefined. */
  readonly current: ReadonlyMap<string, string | undefined>;
  readonly verdict: ResumeVerdict;
}

/** Loads a run. Rejects with `not-found`, and with `corrupt` when its state is damaged. */
export async function readRun(context: Pick<WorkflowContext, "cairn">, id: string): Promise<Run> {
  return (await loadRun(context, id)).head.state.run;
}

async function loadRun(context: Pick<WorkflowContext, "cairn">, id: string) {
  if ((await context.cairn.store.head(runTrail(id))) === undefined) throw noRun(id);
  try {
    const trail = openRunTrail(context, id);
    return { trail, head: await trail.load() };
  } catch (error) {
    if (!isCheckpointError(error, "corrupt")) throw error;
    throw new CheckpointError("corrupt", `The state of run "${id}" is damaged: ${error.message}`, {
      hint: `checkpoint verify tells what is hurt; checkpoint archive ${id} puts it aside, and a fresh run can start`,
      details: { run: id },
      cause: error,
    });
  }
}

/** Gathers the facts, and checks whether the run may go on. */
export async function examineRun(
  context: WorkflowContext,
  id: string,
  options: ExamineOptions = {},
): Promise<Examined> {
  const { trail, head } = await loadRun(context, id);
  const run = options.as ?? head.state.run;
  const workflow = options.workflow ?? (await workflowOf(context, run, options));
  const { current, missing, changed } = await compareArtifacts(context, run);
  const isHeld =
    run.status === "running" && options.takeOver !== true && isLocked(runFolder(context, id), run.epoch);
  const verdict = checkResume({
    run,
    now: context.now(),
    isTrusted: options.isTrusted ?? true,
    owner: isHeld ? (run.runner ?? { pid: 0, host: "another machine", since: run.updated_at }) : undefined,
    missing,
    changed: options.acceptChanges ? [] : changed,
    ...compareDefinitions(run, workflow),
    ...whyStored(context, run, workflow, options),
    ...(await lookAtGit(context, run)),
  });
  return { run, trail, head, workflow, current, verdict };
}

/** Why the definition stored with a run is used, although it names a file. */
function whyStored(
  { root }: WorkflowContext,
  { file }: Run,
  workflow: Workflow | undefined,
  { isTrusted = true, mayLoadPrograms = false }: ExamineOptions,
) {
  const isStored = file !== undefined && workflow === undefined;
  const isThere = isStored && existsSync(resolve(root, file));
  const isRead = isTrusted && (mayLoadPrograms || !isModule(file ?? ""));
  return { isDefinitionGone: isStored && !isThere, isOtherWorkflow: isThere && isRead };
}

/** Where the file is was written by whoever made the store: one from elsewhere has no say in what is loaded. */
export async function workflowOf(
  { root }: Pick<WorkflowContext, "root">,
  { file, workflow }: Run,
  { isTrusted = true, mayLoadPrograms = false }: ExamineOptions,
): Promise<Workflow | undefined> {
  if (file === undefined || !isTrusted || (isModule(file) && !mayLoadPrograms)) return undefined;
  // Not imported above: most commands about runs never read a definition, and YAML takes its time to load.
  const { loadWorkflow } = await import("../definition/load-workflow.ts");
  try {
    const found = await loadWorkflow(file, { cwd: root });
    return found.name === workflow ? found : undefined;
  } catch (error) {
    if (isCheckpointError(error, "not-found")) return undefined;
    throw error;
  }
}

/** Which of the registered files are gone, and which are no longer what they were. */
export async function compareArtifacts({ root }: Pick<WorkflowContext, "root">, run: Run) {
  const current = new Map<string, string | undefined>();
  const missing: Artifact[] = [];
  const changed: Artifact[] = [];
  for (const artifact of Object.values(run.artifacts)) {
    const facts = await readFacts(root, artifact.path);
    current.set(artifact.path, facts?.sha256);
    if (facts === undefined) missing.push(artifact);
    else if (
      facts.sha256 !== artifact.sha256 &&
      !isQuestioned(run, artifact) &&
      !isRewritten(root, run, artifact)
    )
      changed.push(artifact);
  }
  return { current, missing, changed };
}

/** A file that changed while a person looks at it is a new question, not a reason to plan anew. */
function isQuestioned(run: Run, { step }: Artifact): boolean {
  return run.definition.some((other) => {
    const { status, decision } = stateOf(run, other.id);
    const isOpen =
      status === "awaiting_approval" ||
      (status === "completed" &&
        decision !== undefined &&
        run.definition.every(
          (later) => !later.needs.includes(other.id) || stateOf(run, later.id).attempt === 0,
        ));
    return other.kind === "approval" && isOpen && other.needs.includes(step);
  });
}

/** A step that was under way writes the same file, and will write it again. */
function isRewritten(root: string, run: Run, { path }: Artifact): boolean {
  return run.definition.some((step) => {
    const { status, attempt } = stateOf(run, step.id);
    if (attempt === 0 || status === "completed" || step.outputs === undefined) return false;
    return findOutputs(step.outputs, root).paths.includes(path);
  });
}

function compareDefinitions(run: Run, workflow: Workflow | undefined) {
  const now = new Map((workflow?.steps ?? run.definition).map((step) => [step.id, step]));
  const done = run.steps.filter(({ status }) => status === "completed");
  return {
    edited: done
      .filter(({ id, fingerprint }) => now.has(id) && now.get(id)!.fingerprint !== fingerprint)
      .map(({ id }) => id),
    removed: done.filter(({ id }) => !now.has(id)).map(({ id }) => id),
    ...(workflow && { openChanges: openChanges(run, workflow) }),
  };
}

/** What was edited of the steps that are not done. Joins only follow the others. */
function openChanges(run: Run, { steps }: Workflow): OpenChanges {
  const isCounted = ({ id, kind }: Step) =>
    kind !== "join" && !["completed", "skipped"].includes(stateOf(run, id).status);
  const before = new Map(run.definition.filter(isCounted).map((step) => [step.id, step.fingerprint]));
  const now = steps.filter(isCounted);
  const ids = new Set(now.map(({ id }) => id));
  return {
    edited: now
      .filter((step) => (before.get(step.id) ?? step.fingerprint) !== step.fingerprint)
      .map(({ id }) => id),
    added: now.filter(({ id }) => !before.has(id)).map(({ id }) => id),
    removed: [...before.keys()].filter((id) => !ids.has(id)),
  };
}

async function lookAtGit({ root, env }: WorkflowContext, run: Run) {
  if (run.git_head === undefined) return { dirty: [] };
  const gitHead = readGitHead(root)?.head ?? undefined;
  const { files_touched } = await startWorkspace({ root, env }).finish();
  const known = new Set([...Object.keys(run.artifacts), ...(run.file === undefined ? [] : [join(run.file)])]);
  return { gitHead, dirty: files_touched.filter((path) => !known.has(path)) };
}

function noRun(id: string): CheckpointError {
  return new CheckpointError("not-found", `There is no run "${id}".`, {
    hint: "checkpoint runs",
    details: { run: id },
  });
}
