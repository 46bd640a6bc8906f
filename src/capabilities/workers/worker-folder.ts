import { closeSync, existsSync, openSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

import { refuseLinks } from "../../core/store/private-files.ts";
import { lockFile, type FileLock } from "../../core/store/sqlite/file-lock.ts";
import type { WorkflowContext } from "../workflow/context.ts";
import { makeFolder, readClaim } from "../workflow/engine/attempt-folder.ts";
import { isAlive } from "../workflow/engine/process-identity.ts";
import { removeCheckouts } from "./worktree.ts";

/** A cleaner holds the lock of a worker that died only until it has removed what that worker left. */
const PATIENCE_MS = 2000;
const MAX_TRIES = 5;
const LOCK = ".lock";

/** The folder in which a worker keeps its checkouts and what steps print. It is removed when the worker ends, however it ends. */
export interface WorkerFolder {
  readonly path: string;
  remove(): Promise<void>;
}

type FolderContext = Pick<WorkflowContext, "root" | "folder" | "env">;

export const workerFolder = ({ folder }: Pick<WorkflowContext, "folder">, id: string): string =>
  join(folder, "workers", id);

/** Makes the folder of a worker, and removes those of workers that were killed. */
export async function openWorkerFolder(context: FolderContext, id: string): Promise<WorkerFolder> {
  const path = workerFolder(context, id);
  const workers = dirname(path);
  refuseLinks(context.folder, workers);
  makeFolder(workers);
  const lock = lockNew(path + LOCK);
  makeFolder(path);
  await removeDead(context, workers);
  const remove = async () => {
    await removeCheckouts(context, path);
    rmSync(path + LOCK, { force: true });
    lock.release();
  };
  return { path, remove };
}

/** The lock tells others that this worker is alive: the kernel releases it when the process ends. */
function lockNew(path: string): FileLock {
  for (let tries = 1; ; tries++) {
    closeSync(openSync(path, "a", 0o600));
    const lock = lockFile(path, PATIENCE_MS);
    // A cleaner may have taken the new file for that of a dead worker.
    if (lock !== undefined && existsSync(path)) return lock;
    lock?.release();
    if (tries === MAX_TRIES) throw new Error(`"${path}" is locked by another worker.`);
  }
}

async function removeDead(context: FolderContext, workers: string): Promise<void> {
  for (const name of readdirSync(workers).filter((each) => each.endsWith(LOCK))) {
    const lockPath = join(workers, name);
    const path = lockPath.slice(0, -LOCK.length);
    refuseLinks(workers, lockPath);
    const lock = lockFile(lockPath, 0);
    if (lock === undefined) continue;
    // Commands outlive a worker that is killed. What is theirs is removed at a later start.
    if (!hasLiveCommand(path)) {
      await removeCheckouts(context, path);
      rmSync(lockPath, { force: true });
    }
    lock.release();
  }
}

function hasLiveCommand(path: string): boolean {
  const runs = join(path, "runs");
  if (!existsSync(runs)) return false;
  return readdirSync(runs, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name === "started")
    .map(({ parentPath }) => readClaim({ path: parentPath, started: join(parentPath, "started") }))
    .some((claim) => claim.kind === "started" && isAlive(claim.identity));
}
