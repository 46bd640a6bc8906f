import { CheckpointError } from "../../../core/errors.ts";
import type { WorkflowContext } from "../context.ts";
import { findOutputs, readFileFacts } from "../engine/artifacts.ts";
import { stateOf, type Artifact, type Run } from "../run/run-state.ts";
import { changeRun } from "./change-run.ts";
import { stepNamed } from "./fork-run.ts";

export interface AddArtifactsOptions {
  /** Paths or patterns, below the project's root. */
  readonly files: readonly string[];
  /** The step that made them: its name, or its number from 1. The one that was started last otherwise. */
  readonly step?: string | undefined;
}

/**
 * Registers files that a step made but did not declare. From then on they count like its other outputs: a resume checks
 * that they are there and unchanged.
 */
export async function addArtifacts(
  context: Pick<WorkflowContext, "cairn" | "root" | "now">,
  id: string,
  { files, step }: AddArtifactsOptions,
): Promise<readonly Artifact[]> {
  const facts = await factsOf(context.root, files);
  let added: readonly Artifact[] = [];
  await changeRun(context, id, async (run) => {
    if (run.status === "archived") throw runArchived(run);
    const at = context.now().toISOString();
    const name = step === undefined ? lastStarted(run) : stepNamed(run, step);
    const { attempt } = stateOf(run, name);
    added = facts.map((file) => ({ ...file, step: name, attempt, at }));
    const artifacts = Object.fromEntries(added.map((artifact) => [artifact.path, artifact]));
    return {
      run: { ...run, artifacts: { ...run.artifacts, ...artifacts }, updated_at: at },
      trigger: "run",
      notes: `${run.workflow}: ${added.length === 1 ? added[0]!.path : `${added.length} files`} registered by hand`,
    };
  });
  return added;
}

async function factsOf(root: string, files: readonly string[]) {
  const { paths, missing, refused } = findOutputs(files, root);
  if (missing.length > 0) throw noFile(missing[0]!);
  if (refused.length > 0) throw outside(refused[0]!);
  const facts = await Promise.all(paths.map((path) => readFileFacts(root, path, { sync: true })));
  const gone = facts.indexOf(undefined);
  if (gone >= 0) throw noFile(paths[gone]!);
  return facts.filter((file) => file !== undefined);
}

function lastStarted(run: Run): string {
  const last = run.steps.findLast(({ attempt }) => attempt > 0);
  if (last !== undefined) return last.id;
  throw new CheckpointError("usage", `No step of run "${run.id}" has started, so none can have made files.`, {
    hint: `checkpoint artifacts add ${run.id} FILE --step STEP`,
    details: { run: run.id },
  });
}

function noFile(path: string): CheckpointError {
  return new CheckpointError("not-found", `There is no file "${path}" in the project.`, {
    hint: "Give a path below the project's root.",
    details: { path },
  });
}

function outside(path: string): CheckpointError {
  return new CheckpointError("usage", `"${path}" is not inside the project.`, {
    hint: "Copy it into the project first: only files there can be registered.",
    details: { path },
  });
}

function runArchived({ id }: Run): CheckpointError {
  return new CheckpointError("conflict", `Run "${id}" is archived: it can only be looked at.`, {
    hint: `checkpoint runs show ${id}`,
    details: { run: id },
  });
}
