import type { Environment } from "../../machine/environment.ts";
import { currentBoot, readSystemFile } from "../../machine/system-file.ts";
import {
  commandLineOf,
  hasProcessFiles,
  processesFrom,
  processSpace,
  startByPs,
  systemProcess,
  type SystemProcess,
} from "../../machine/system-processes.ts";
import type { AgentClient } from "../clients/client.ts";
import { CLIENTS } from "../clients/clients.ts";
import type { ClientName } from "../clients/clients.ts";

/** The process of an agent client, identified unambiguously: a pid alone gets reused. */
export interface ClientProcess {
  readonly pid: number;
  /** When it started, in the system's own format. */
  readonly start: string;
  /** The boot that it belongs to; empty where the system has no id for that. */
  readonly boot: string;
  /** The machine and its container. */
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
export async function findClientProcess({
  client,
  env,
  parentPid,
}: HookProcess): Promise<ClientProcess | undefined> {
  const named = env[CLIENTS[client].pidVariable ?? ""] ?? "";
  const isNamed = /^[1-9]\d{0,9}$/.test(named);
  const pid = isNamed ? Number(named) : parentPid && lastingAncestor(parentPid, client)?.pid;
  const start = pid ? await startOf(pid) : undefined;
  return pid && start !== undefined
    ? { pid, start, boot: currentBoot(), place: processSpace(), isNamed }
    : undefined;
}

/** The state of a client's process: `elsewhere` if it belongs to another machine or container. */
export async function stateOfProcess({
  pid,
  start,
  boot,
  place,
}: ClientProcess): Promise<"runs" | "gone" | "elsewhere"> {
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

/** The agent client whose shell runs this command, by the variables that it sets for what it runs. */
export function clientOfEnvironment(env: Environment): AgentClient | undefined {
  return Object.values(CLIENTS).find(({ sessionVariables = [], shellVariables = [] }) =>
    [...sessionVariables, ...shellVariables].some((name) => env[name]),
  );
}

/**
 * The agent client among the processes above this one. A variable is easily unset; a parent is not. One that was left
 * behind on purpose is not found, and where the system shows no processes, none is.
 */
export function clientAbove(parentPid: number): AgentClient | undefined {
  for (const { pid, name } of processesFrom(parentPid, 64)) {
    // A program, and the script that an interpreter runs.
    const words = commandLineOf(pid).slice(0, 2);
    const names = [name, ...words.map((word) => (word.split("/").at(-1) ?? "").replace(/\.[cm]?js$/, ""))];
    const found = Object.values(CLIENTS).find(({ programs }) =>
      programs.some((each) => names.includes(each)),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}
