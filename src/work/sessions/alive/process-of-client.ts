import type { Environment } from "../../machine/environment.ts";
import { currentBoot, readSystemFile } from "../../machine/system-file.ts";
import {
  hasProcessFiles,
  processesFrom,
  processSpace,
  startByPs,
  systemProcess,
  type SystemProcess,
} from "../../machine/system-processes.ts";
import { type ClientName, CLIENTS } from "../../clients/clients.ts";

/** The process of an agent client, identified unambiguously: a pid alone gets reused. */
export interface ClientProcess {
  readonly pid: number;
  /** When it started, in the system's own format. */
  readonly start: string;
  /** The boot that it belongs to; empty where the system has no id for that. */
  readonly boot: string;
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
  const named = env[CLIENTS[client].pidVariable ?? ""] ?? "";
  const isNamed = /^[1-9]\d{0,9}$/.test(named);
  const pid = isNamed ? Number(named) : parentPid && lastingAncestor(parentPid, client)?.pid;
  const start = pid ? await startOf(pid) : undefined;
  return pid && start !== undefined
    ? { pid, start, boot: currentBoot(), place: processSpace(), isNamed }
    : undefined;
}

/** The state of a client's process: `elsewhere` if it belongs to another machine or container. */
export async function stateOfProcess(client: ClientProcess): Promise<"runs" | "gone" | "elsewhere"> {
  const { pid, start, boot, place } = client;
  if (place !== processSpace()) return "elsewhere";
  return boot === currentBoot() && (await startOf(pid)) === start ? "runs" : "gone";
}

async function startOf(pid: number): Promise<string | undefined> {
  return hasProcessFiles() ? systemProcess(pid)?.start : startByPs(pid);
}

/** Programs between a client and its hook, which usually end with the hook. */
const WRAPPERS =
  /^(sh|bash|dash|ash|zsh|ksh|fish|busybox|env|nice|timeout|sudo|cmd|np[mx]\b.*|pnpm.*|yarn.*)$/;
/** Programs that outlive all clients. */
const SUPERVISORS =
  /^(systemd|init|tini|dumb-init|docker-init|containerd-shim.*|sshd.*|tmux.*|screen|login)$/;
/** A younger process, in hundredths of a second, was started for the hook. */
const YOUNG_TICKS = 50;

/** The nearest ancestor with the client's name, or that was not started for this hook; a shell only as a last resort. */
function lastingAncestor(parentPid: number, client: ClientName): SystemProcess | undefined {
  const now = 100 * Number.parseFloat(readSystemFile("/proc/uptime") ?? "");
  let shell: SystemProcess | undefined;
  for (const found of processesFrom(parentPid, 12)) {
    if (SUPERVISORS.test(found.name)) break;
    if (found.name === client) return found;
    const isOld = now - Number(found.start) >= YOUNG_TICKS;
    if (isOld && !WRAPPERS.test(found.name)) return found;
    if (isOld) shell = found;
  }
  return shell;
}
