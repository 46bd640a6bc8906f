import { spawnSync } from "node:child_process";

import { currentBoot, readSystemFile } from "../../capture/files/system-file.ts";

/** The wrapper of an attempt, beyond doubt: a pid alone is given to somebody else one day. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Of the machine's boot; empty where the system does not tell. */
  readonly boot: string;
  /** The attempt's folder, which is in the environment of nobody but its wrapper and what that started. */
  readonly folder: string;
  /** When the process started, in the words of ps: only where the boot is not known. */
  readonly start: string;
}

/** Tells a command where its attempt is kept, and us whose process it is. */
export const ATTEMPT_VARIABLE = "CAIRN_ATTEMPT_DIR";

/** Reads what the wrapper wrote: its pid, the boot, and when it started. Undefined when it is not complete. */
export function parseStarted(text: string, folder: string): ProcessIdentity | undefined {
  const [pid = "", boot = "", start = "", end] = text.split("\n");
  if (end === undefined || !/^\d+$/.test(pid)) return undefined;
  return { pid: Number(pid), boot, folder, start: start.trim() };
}

/** Whether this very process still runs. One that has ended and waits for its parent has no environment any more. */
export function isAlive({ pid, boot, folder, start }: ProcessIdentity): boolean {
  if (boot !== currentBoot()) return false;
  if (boot !== "") return environmentOf(pid).some((variable) => isFolder(variable, folder));
  // Without /proc, as on macOS.
  const ps = spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" });
  return ps.status === 0 && ps.stdout.trim() === start;
}

const environmentOf = (pid: number): string[] => readSystemFile(`/proc/${pid}/environ`)?.split("\0") ?? [];

/** By its place among the runs: the project may have been moved since. */
function isFolder(variable: string, folder: string): boolean {
  const place = folder.slice(folder.lastIndexOf("/runs/"));
  return variable.startsWith(`${ATTEMPT_VARIABLE}=`) && variable.endsWith(place);
}
