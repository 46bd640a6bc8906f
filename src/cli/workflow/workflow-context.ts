import { statSync } from "node:fs";
import { join } from "node:path";
import { openCairn, STORE_FILE } from "../../checkpoints/cairn.ts";
import { keepOutOfGit } from "../../capture/files/project-root.ts";
import { CheckpointError } from "../../errors.ts";
import { openSqliteStore } from "../../store/sqlite.ts";
import type { WorkflowContext } from "../../workflow/context.ts";
import type { Context } from "../context.ts";
import { findProject, hasStore } from "../open.ts";
import type { Output } from "../output.ts";
import { registerStore } from "./trust.ts";

/**
 * What a command wants with the project's runs: to look at them, to change one that must be there, or to start one,
 * for which the store is made if there is none.
 */
export type Intention = "read" | "change" | "start";

/** Opens the project's store for the commands about runs. Close `cairn` in the end. */
export async function openWorkflowContext(
  context: Context,
  intention: Intention,
  output: Output,
): Promise<WorkflowContext> {
  const project = findProject(context);
  const isNew = !hasStore(project);
  if (intention !== "read") refuseForeign(context, project.folder);
  if (isNew && intention !== "start") throw noRunYet();
  if (isNew) keepOutOfGit(project.root);
  const store = await openSqliteStore({
    path: join(project.folder, STORE_FILE),
    readOnly: intention === "read",
  });
  if (isNew) {
    await registerStore(context, project.folder, store);
    output.message(`Created ${project.folder}, which keeps itself out of git.`);
  }
  return {
    ...project,
    cairn: await openCairn({ store, now: context.now }),
    env: context.env,
    now: context.now,
    pid: context.runtime.pid,
    host: context.runtime.host,
    kill: context.kill,
  };
}

/** Whoever owns the folder could change what runs between a look and a start. */
function refuseForeign({ runtime }: Context, folder: string): void {
  const owner = statSync(folder, { throwIfNoEntry: false })?.uid;
  if (owner === undefined || runtime.userId === undefined || owner === runtime.userId) return;
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
