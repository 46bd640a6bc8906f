import { existsSync, statSync } from "node:fs";
import { keepProjectOutOfGit } from "../../capture/files/folders.ts";
import { CheckpointError } from "../../errors.ts";
import type { WorkflowContext } from "../../workflow/context.ts";
import { hasStore } from "../find-project.ts";
import { gates } from "../open-gates.ts";
import type { Project } from "../project.ts";
import { redactorOf } from "../settings/settings.ts";
import { withoutStore } from "../shared-store.ts";

/** To look at runs, to change one that exists, or to start one, which creates the store if needed. */
export type RunsOpening = "read" | "change" | "start";

const OPENING = { read: "read", change: "write", start: "create" } as const;

/** The project's store, for the functions about runs. */
export async function openRuns(project: Project, opening: RunsOpening): Promise<WorkflowContext> {
  const { root, folder, env, now, machine } = project;
  if (opening !== "read") refuseForeign(project);
  if (opening !== "start" && !hasStore(project)) throw noRunYet();
  const cairn = await project.stores.open(project, OPENING[opening], "run.step");
  const { pid, host, kill } = machine;
  const redactor = opening === "read" ? undefined : await redactorOf(project);
  const governed = gates.has(cairn) ? await governedSteps(project) : {};
  const context = { root, folder, env, now, pid, host, kill, cairn, redactor, ...governed };
  const cluster = await project.stores.cluster(project);
  if (cluster === undefined) return context;
  // What steps print and the locks of this machine's own runs are still files.
  if (opening !== "read" && !existsSync(folder)) keepProjectOutOfGit(root);
  const { serverLeases } = await import("../../workflow/cluster/server-leases.ts");
  return {
    ...context,
    env: withoutStore(context.env, project.shared),
    leases: serverLeases(cluster.database, context),
  };
}

/** Steps of a governed project ask the gate, and are started without the keys of who runs them. */
async function governedSteps(project: Project): Promise<Pick<WorkflowContext, "gate" | "env">> {
  const { gateStep } = await import("../gate/gate-step.ts");
  const { withoutOwnKeys } = await import("../gate/secrets.ts");
  return {
    env: withoutOwnKeys(project.env),
    gate: (step, options) => gateStep(project, step, options),
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
