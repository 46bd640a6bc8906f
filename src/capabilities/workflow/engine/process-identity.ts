import { spawnSync } from "node:child_process";

import { currentBoot, readSystemFile } from "../../../work/machine/system-file.ts";

/** Identifies the wrapper of an attempt. A pid alone does not: the system reuses pids. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Identifies the machine's boot; empty where the system does not tell. */
  readonly boot: string;
  /** The attempt's folder, which only the wrapper and its children have in their environment. */
  readonly folder: string;
  /** When the process started, as ps prints it: only where the boot is not known. */
  readonly start: string;
}

/** Tells a command where its attempt's files are, and us which attempt a process belongs to. */
export const ATTEMPT_VARIABLE = "CAIRN_ATTEMPT_DIR";

/** Reads what the wrapper wrote: its pid, the boot, and when it started. Undefined when incomplete. */
export function parseStarted(text: string, folder: string): ProcessIdentity | undefined {
  const [pid = "", boot = "", start = "", end] = text.split("\n");
  if (end === undefined || !/^\d+$/.test(pid)) return undefined;
  return { pid: Number(pid), boot, folder, start: start.trim() };
}

/** Whether this very process still runs. A zombie has no environment any more. */
export function isAlive({ pid, boot, folder, start }: ProcessIdentity): boolean {
  if (boot !== currentBoot()) return false;
  if (boot !== "") return variablesOf(pid).some((variable) => isFolder(variable, folder));
  // Without /proc, as on macOS.
  const ps = spawnSync("/bin/ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" });
  return ps.status === 0 && ps.stdout.trim() === start;
}

const variablesOf = (pid: number): string[] => readSystemFile(`/proc/${pid}/environ`)?.split("\0") ?? [];

/** Compares the path below `runs`: the project may have been moved since. */
function isFolder(variable: string, folder: string): boolean {
  const below = folder.slice(folder.lastIndexOf("/runs/"));
  return variable.startsWith(`${ATTEMPT_VARIABLE}=`) && variable.endsWith(below);
}
