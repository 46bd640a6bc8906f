import { readlinkSync } from "node:fs";
import { readSystemFile } from "./system-file.ts";

/** A running process, where the system shows its processes as files. */
export interface SystemProcess {
  readonly pid: number;
  readonly name: string;
  readonly parent: number;
  /** When it started, in hundredths of a second since the system did. */
  readonly start: string;
}

/** Whether the system shows its processes as files. */
export function hasProcessFiles(): boolean {
  return readSystemFile("/proc/self/stat") !== undefined;
}

/** Undefined for a zombie, too. */
export function systemProcess(pid: number): SystemProcess | undefined {
  const stat = readSystemFile(`/proc/${pid}/stat`);
  if (stat === undefined || /\) [ZX] /.test(stat)) return undefined;
  // A program's name may contain anything, so the fields are counted from its closing bracket.
  const end = stat.lastIndexOf(") ");
  const fields = stat.slice(end + 2).split(" ");
  const name = stat.slice(stat.indexOf("(") + 1, end);
  return { pid, name, parent: Number(fields[1]), start: fields[19] ?? "" };
}

/** A process and those above it, nearest first; a loop in what the system says ends, too. */
export function* processesFrom(pid: number, most: number): Generator<SystemProcess> {
  let found = pid > 1 ? systemProcess(pid) : undefined;
  for (let step = 0; step < most && found !== undefined; step += 1) {
    yield found;
    found = found.parent > 1 ? systemProcess(found.parent) : undefined;
  }
}

/** The words that a process was started with; none where the system does not show them. */
export function commandLineOf(pid: number): readonly string[] {
  return readSystemFile(`/proc/${pid}/cmdline`)?.split("\0") ?? [];
}

/** When a process started, for systems such as macOS, where `ps` must be asked; undefined if it does not run. */
export async function startByPs(pid: number): Promise<string | undefined> {
  // Loaded here, because every hook would pay for it.
  const { spawnSync } = await import("node:child_process");
  const { status, stdout } = spawnSync("/bin/ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

/** The machine and its container: elsewhere a pid means nothing. */
export function processSpace(): string {
  const host = readSystemFile("/proc/sys/kernel/hostname")?.trim() ?? "";
  try {
    return `${host} ${readlinkSync("/proc/self/ns/pid")}`.trim();
  } catch {
    return host;
  }
}
