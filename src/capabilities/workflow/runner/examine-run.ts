import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

import { readGitHead } from "../../../work/capture/git/git-head.ts";
import { startWorkspace } from "../../../work/capture/git/git-workspace.ts";
import type { Checkpoint } from "../../../core/trails/document.ts";
import type { Trail } from "../../../core/trails/trail.ts";
import { CheckpointError, isCheckpointError } from "../../../core/errors.ts";
import { isModule } from "../definition/is-module.ts";
import type { Workflow } from "../definition/types.ts";
import type { WorkflowContext } from "../context.ts";
import type { DefinitionFacts } from "../run/check-definition.ts";
import { checkResume, type ResumeVerdict } from "../run/resume-check.ts";
import { isPinned, type Run, type RunDocument } from "../run/run-state.ts";
import { damagedRunHint, RUN_TRAIL_PREFIX, runTrail } from "../../../work/state/run-trail.ts";
import { compareArtifacts } from "./compare-artifacts.ts";
import { loadEarlier, loadHead, openRunTrail } from "./run-journal.ts";
import { isDriven } from "./run-lease.ts";

export interface ExamineOptions {
  /** The definition as it is now; without it, the file is read again, and failing that the stored one is used. */
  readonly workflow?: Workflow | undefined;
  /** Takes the run even from a runner that still holds it: one that is frozen or out of reach. */
  readonly takeOver?: boolean;
  /** Whether this store is known to be the user's own. True unless given. */
  readonly isTrusted?: boolean;
  /** Takes artifacts and an import as they are now: a person vouches for them. */
  readonly acceptChanges?: boolean;
  /** Whether a definition that is a program may be loaded, which runs it. Must not happen just to look at a run. */
  readonly mayLoadPrograms?: boolean;
  /** Examined instead of the run itself: a fork of it that is not made yet. */
  readonly as?: Run | undefined;
  /** The checkpoint that the fork would start from, where that is not the head. */
  readonly from?: string | undefined;
}

/** A run, and everything that decides whether it may be resumed. */
export interface ExaminedRun {
  readonly run: Run;
  /** The trail and its head, as loaded, so that a state of thousands of steps is not read twice. */
  readonly trail: Trail<RunDocument>;
  readonly head: Checkpoint<RunDocument>;
  /** The definition as it is now; undefined when its file is gone. */
  readonly workflow: Workflow | undefined;
  /** What the registered files contain now, by path; missing ones are undefined. */
  readonly current: ReadonlyMap<string, string | undefined>;
  readonly verdict: ResumeVerdict;
}

/** Loads a run; rejects as `loadRun` does. */
export async function readRun(
  context: Pick<WorkflowContext, "cairn">,
  id: string,
  from?: string,
): Promise<Run> {
  return (await loadRun(context, id, from)).head.state.run;
}

/** A run as its trail's head says, or the checkpoint that it was loaded from. */
export interface LoadedRun {
  readonly trail: Trail<RunDocument>;
  readonly head: Checkpoint<RunDocument>;
}

/**
 * Loads a run with its trail and head, or as an earlier checkpoint has it: then the head may be damaged. Rejects with
 * `not-found`, and with `corrupt` when the state is damaged.
 */
export async function loadRun(
  context: Pick<WorkflowContext, "cairn">,
  id: string,
  from?: string,
): Promise<LoadedRun> {
  if ((await context.cairn.store.head(runTrail(id))) === undefined) throw await noRun(context, id);
  const trail = openRunTrail(context, id);
  try {
    return { trail, head: await (from === undefined ? loadHead(trail) : loadEarlier(trail, from)) };
  } catch (error) {
    if (!isCheckpointError(error, "corrupt")) throw error;
    throw new CheckpointError("corrupt", `The state of run "${id}" is damaged: ${error.message}`, {
      hint: damagedRunHint(id),
      details: { run: id },
      cause: error,
    });
  }
}

/** Gathers the facts, and checks whether the run may be resumed. */
export async function examineRun(
  context: WorkflowContext,
  id: string,
  options: ExamineOptions = {},
): Promise<ExaminedRun> {
  const { trail, head } = await loadRun(context, id, options.from);
  const run = options.as ?? head.state.run;
  const { workflow, fileIs } = await currentDefinition(context, run, options);
  const { current, missing, changed, missingSinceImport } = await compareArtifacts(context, run);
  const isHeld = run.status === "running" && options.takeOver !== true && (await isDriven(context, run));
  const verdict = checkResume({
    run,
    now: context.now(),
    isTrusted: options.isTrusted ?? true,
    owner: isHeld ? (run.runner ?? { pid: 0, host: "another machine", since: run.updated_at }) : undefined,
    missing,
    changed: options.acceptChanges ? [] : changed,
    missingSinceImport: options.acceptChanges ? [] : missingSinceImport,
    importProblems: options.acceptChanges ? [] : run.import_problems,
    steps: workflow?.steps ?? run.definition,
    fileIs,
    ...(await lookAtGit(context, run)),
  });
  return { run, trail, head, workflow, current, verdict };
}

/** The definition as it is now: undefined when it must not be loaded, when its file is gone, or holds another workflow. */
export async function workflowOf(
  context: Pick<WorkflowContext, "root">,
  run: Run,
  options: ExamineOptions,
): Promise<Workflow | undefined> {
  return (await currentDefinition(context, run, options)).workflow;
}

/** A store from elsewhere must not decide what is loaded: its author wrote the file's path. */
async function currentDefinition(
  { root }: Pick<WorkflowContext, "root">,
  run: Run,
  { workflow, isTrusted = true, mayLoadPrograms = false }: ExamineOptions,
): Promise<{ workflow?: Workflow | undefined; fileIs?: DefinitionFacts["fileIs"] }> {
  const { file, workflow: name } = run;
  if (workflow !== undefined || file === undefined || isPinned(run)) return { workflow };
  if (!isTrusted || (isModule(file) && !mayLoadPrograms))
    return { fileIs: existsSync(resolve(root, file)) ? undefined : "gone" };
  // Imported only here: most commands about runs never read a definition, and YAML is slow to load.
  const { loadWorkflow } = await import("../definition/load-workflow.ts");
  try {
    const loaded = await loadWorkflow(file, { cwd: root });
    return loaded.name === name ? { workflow: loaded } : { fileIs: "of another workflow" };
  } catch (error) {
    if (isCheckpointError(error, "not-found")) return { fileIs: "gone" };
    throw error;
  }
}

async function lookAtGit({ root, env }: WorkflowContext, run: Run) {
  if (run.git_head === undefined) return { dirty: [] };
  const gitHead = readGitHead(root)?.head ?? undefined;
  if (isPinned(run)) return { gitHead, dirty: [] };
  const { files_touched } = await startWorkspace({ root, env }).finish();
  const known = new Set([...Object.keys(run.artifacts), ...(run.file === undefined ? [] : [join(run.file)])]);
  return { gitHead, dirty: files_touched.filter((path) => !known.has(path)) };
}

/** Lists the runs there are, so that a door can suggest the one that was meant. */
export async function noRun(context: Pick<WorkflowContext, "cairn">, id: string): Promise<CheckpointError> {
  return new CheckpointError("not-found", `There is no run "${id}".`, {
    hint: "checkpoint runs",
    details: { run: id, typed: id, known: await runIds(context, "", KNOWN) },
  });
}

/** One of these may be meant where a name is misspelt. */
const KNOWN = 1000;

/** Runs whose ids begin so, most recently changed first: in the order of their last commit, whatever the clock says. */
export async function runIds(
  { cairn }: Pick<WorkflowContext, "cairn">,
  beginning = "",
  limit?: number,
): Promise<string[]> {
  const trails = await cairn.trails({ prefix: RUN_TRAIL_PREFIX + beginning, limit });
  return trails.map(({ name }) => name.slice(RUN_TRAIL_PREFIX.length));
}
