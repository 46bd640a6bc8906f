import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** A process beyond doubt: a pid alone is given to somebody else one day. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Of the machine's boot; empty where the system does not tell. */
  readonly boot: string;
  /** When the process started, in whatever words the system has for it. */
  readonly start: string;
}

const BOOT_FILE = "/proc/sys/kernel/random/boot_id";

export function currentBoot(): string {
  return readIfAny(BOOT_FILE)?.trim() ?? "";
}

/** Reads what the wrapper wrote: its pid, the boot, and its line in /proc or what ps says. Undefined when it is not complete. */
export function parseStarted(text: string): ProcessIdentity | undefined {
  const [pid = "", boot = "", stat = "", end] = text.split("\n");
  if (end === undefined || !/^\d+$/.test(pid)) return undefined;
  return { pid: Number(pid), boot, start: startIn(stat) };
}

/** Whether this very process still runs: same pid, same start, same boot. */
export function isAlive({ pid, boot, start }: ProcessIdentity): boolean {
  if (boot !== currentBoot()) return false;
  const stat = readIfAny(`/proc/${pid}/stat`);
  if (stat !== undefined) return startIn(stat) === start && !/\) [ZX] /.test(stat);
  if (boot !== "") return false;
  // Without /proc, as on macOS.
  const ps = spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" });
  return ps.status === 0 && ps.stdout.trim() === start;
}

/** The 22nd field of a line of /proc/PID/stat: the start in ticks since the boot. A program's name may contain anything, so it is skipped. */
function startIn(stat: string): string {
  const end = stat.lastIndexOf(") ");
  return end < 0 ? stat.trim() : (stat.slice(end + 2).split(" ")[19] ?? "");
}

function readIfAny(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
