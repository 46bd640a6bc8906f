import { existsSync, statSync } from "node:fs";
import { keepProjectOutOfGit } from "../../../work/machine/folders.ts";
import { CheckpointError } from "../../../core/errors.ts";
import type { WorkflowContext } from "../context.ts";
import { elsewhereOf } from "../elsewhere.ts";
import { findRunId } from "../runner/find-run-id.ts";
import { hasStore } from "../../../work/project/find-project.ts";
import type { Opening, Project } from "../../../work/project/project.ts";
import { keepFilesBefore } from "../../../work/project/snapshots.ts";
import { redactorOf } from "../../../work/project/settings/settings.ts";
import { withoutStore } from "../../../work/project/shared-store.ts";
import { type AskedAction, gatekeeperOf, gates } from "../../../work/project/gate.ts";

/** The project's store, for the functions about runs. */
export async function openRuns(
  project: Project,
  opening: Opening,
  action: string | AskedAction | null = "run.step",
): Promise<WorkflowContext> {
  const { root, folder, env, now, machine } = project;
  if (opening !== "read") refuseForeign(project);
  if (opening !== "create" && !hasStore(project)) throw noRunYet();
  const cairn = await project.stores.open(project, opening, action);
  const { pid, host, kill } = machine;
  const redactor = opening === "read" ? undefined : await redactorOf(project);
  const governed = gates.has(cairn) ? await governedSteps(project) : {};
  const actor = project.actor.signature;
  const beforeStep = (step: string) => keepFilesBefore(project, `step ${step}`);
  const context = {
    root,
    folder,
    env,
    actor,
    now,
    pid,
    host,
    kill,
    cairn,
    redactor,
    beforeStep,
    ...governed,
  };
  const elsewhere = await elsewhereOf(project);
  if (elsewhere === undefined) return context;
  // What steps print and the locks of this machine's own runs are still files.
  if (opening !== "read" && !existsSync(folder)) keepProjectOutOfGit(root);
  return {
    ...context,
    env: withoutStore(context.env, project.shared),
    leases: elsewhere.leases(context),
    unfinishedTrails: () => elsewhere.unfinishedTrails(),
    isThinnedElsewhere: true,
  };
}

/** The run that is meant, by its id or the beginning of it. */
export async function openRun(
  project: Project,
  typed: string,
  opening: "read" | "write",
  action?: string | null,
): Promise<{ readonly workflows: WorkflowContext; readonly id: string }> {
  const workflows = await openRuns(project, opening, action);
  return { workflows, id: await findRunId(workflows, typed) };
}

/** Steps of a governed project ask the gate, and are started without the keys of who runs them. */
async function governedSteps(project: Project): Promise<Pick<WorkflowContext, "gate" | "env">> {
  const keeper = await gatekeeperOf(project);
  return {
    env: keeper.withoutOwnKeys(project.env),
    gate: (step, options) => keeper.permitStep(project, step, options),
  };
}

/** The owner of the folder could change what runs between a look and a start. */
function refuseForeign({ folder, machine }: Project): void {
  const owner = statSync(folder, { throwIfNoEntry: false })?.uid;
  if (owner === undefined || machine.userId === undefined || owner === machine.userId) return;
  throw new CheckpointError("refused", `"${folder}" belongs to another user, who could change what runs.`, {
    hint: "Work in a copy of the project that is your own.",
    details: { path: folder, owner },
  });
}

function noRunYet(): CheckpointError {
  return new CheckpointError("not-found", "There is no run in this project yet.", {
    hint: "checkpoint run FILE, or to try one: checkpoint run --template eight-agents",
  });
}
