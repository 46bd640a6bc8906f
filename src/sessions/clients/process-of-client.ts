import { readlinkSync } from "node:fs";
import type { Environment } from "../../capture/environment.ts";
import { currentBoot, readSystemFile } from "../../capture/files/system-file.ts";
import { CLIENT_INFO } from "../client-info.ts";
import type { ClientName } from "../context.ts";

/** The process of an agent client, identified unambiguously: a pid alone gets reused. */
export interface ClientProcess {
  readonly pid: number;
  /** When it started, in the system's own format. */
  readonly start: string;
  /** The boot that it belongs to; empty where the system has no id for that. */
  readonly boot: string;
  /** The machine and its container: elsewhere the pid means nothing. */
  readonly place: string;
  /** Whether the client named it; otherwise it is a process that started us. */
  readonly isNamed: boolean;
}

/** What a hook knows about where it runs. */
export interface HookProcess {
  readonly client: ClientName;
  readonly env: Environment;
  readonly parentPid?: number | undefined;
}

/** The process whose end ends the session: the one that the client names, else the one that runs the hook. */
export async function findClientProcess(hook: HookProcess): Promise<ClientProcess | undefined> {
  const { client, env, parentPid } = hook;
  const named = env[CLIENT_INFO[client].pidVariable ?? ""] ?? "";
  const isNamed = /^[1-9]\d{0,9}$/.test(named);
  if (!hasProc()) return isNamed ? withoutProc(Number(named)) : undefined;
  const found = isNamed ? statOf(Number(named)) : parentPid && lastingAncestor(parentPid, client);
  return found ? { pid: found.pid, start: found.start, ...surroundings(), isNamed } : undefined;
}

/** The state of a client's process: `elsewhere` if it belongs to another machine or container. */
export async function stateOfProcess(client: ClientProcess): Promise<"runs" | "gone" | "elsewhere"> {
  const { pid, start, boot, place } = client;
  const here = surroundings();
  if (place !== here.place) return "elsewhere";
  const now = hasProc() ? statOf(pid) : await withoutProc(pid);
  return boot === here.boot && now?.start === start ? "runs" : "gone";
}

interface ProcessStat {
  readonly pid: number;
  readonly name: string;
  readonly parent: number;
  readonly start: string;
}

/** Programs between a client and its hook, which usually end with the hook. */
const WRAPPERS =
  /^(sh|bash|dash|ash|zsh|ksh|fish|busybox|env|nice|timeout|sudo|cmd|np[mx]\b.*|pnpm.*|yarn.*)$/;
/** Programs that outlive all clients. */
const SUPERVISORS =
  /^(systemd|init|tini|dumb-init|docker-init|containerd-shim.*|sshd.*|tmux.*|screen|login)$/;
const MOST_ANCESTORS = 12;
/** A younger process, in hundredths of a second, was started for the hook. */
const YOUNG_TICKS = 50;

/** The nearest ancestor with the client's name, or that was not started for this hook; a shell only as a last resort. */
function lastingAncestor(parentPid: number, client: ClientName): ProcessStat | undefined {
  const now = 100 * Number.parseFloat(readSystemFile("/proc/uptime") ?? "");
  let shell: ProcessStat | undefined;
  let pid = parentPid;
  for (let step = 0; step < MOST_ANCESTORS && pid > 1; step++) {
    const found = statOf(pid);
    if (found === undefined || SUPERVISORS.test(found.name)) break;
    if (found.name === client) return found;
    const isOld = now - Number(found.start) >= YOUNG_TICKS;
    if (isOld && !WRAPPERS.test(found.name)) return found;
    if (isOld) shell = found;
    pid = found.parent;
  }
  return shell;
}

/** Undefined for a zombie, too. */
function statOf(pid: number): ProcessStat | undefined {
  const stat = readSystemFile(`/proc/${pid}/stat`);
  return stat === undefined || /\) [ZX] /.test(stat) ? undefined : parseStat(pid, stat);
}

/** A program's name may contain anything, so the fields are counted from its closing bracket. */
function parseStat(pid: number, stat: string): ProcessStat {
  const end = stat.lastIndexOf(") ");
  const fields = stat.slice(end + 2).split(" ");
  return {
    pid,
    name: stat.slice(stat.indexOf("(") + 1, end),
    parent: Number(fields[1]),
    start: fields[19] ?? "",
  };
}

function surroundings(): { boot: string; place: string } {
  const host = readSystemFile("/proc/sys/kernel/hostname")?.trim() ?? "";
  return { boot: currentBoot(), place: `${host} ${pidNamespace()}`.trim() };
}

function pidNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

function hasProc(): boolean {
  return readSystemFile("/proc/self/stat") !== undefined;
}

/** For systems such as macOS, where `ps` must be asked. */
async function withoutProc(pid: number): Promise<ClientProcess | undefined> {
  const { spawnSync } = await import("node:child_process");
  const { status, stdout } = spawnSync("/bin/ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" });
  return status === 0 ? { pid, start: stdout.trim(), ...surroundings(), isNamed: true } : undefined;
}
