import type { RunLeases, WorkflowContext } from "../context.ts";
import type { Run } from "../run/run-state.ts";
import { runFolder } from "./run-folder.ts";
import { isLocked, tryLock } from "./run-lock.ts";

type LeaseContext = Pick<WorkflowContext, "folder" | "leases">;

/** The leases of a project: locks in its folder, unless its store is shared by several machines. */
export function leasesOf(context: LeaseContext): RunLeases {
  return context.leases ?? fileLeases(context);
}

/** Leases that the kernel ends when their holder dies, and that therefore hold on one machine only. */
export function fileLeases(context: Pick<WorkflowContext, "folder">): RunLeases {
  return {
    take: async (run, epoch) => {
      const lock = tryLock(runFolder(context, run), epoch);
      return lock && { release: async () => lock.release() };
    },
    isHeld: async (run, epoch) => isLocked(runFolder(context, run), epoch),
  };
}

/** Whether the run goes on by itself: a runner holds it, or workers take its steps. */
export async function isDriven(context: LeaseContext, run: Run): Promise<boolean> {
  if (run.runs_on === "workers") return run.status === "running" || run.status === "awaiting_approval";
  return leasesOf(context).isHeld(run.id, run.epoch);
}
