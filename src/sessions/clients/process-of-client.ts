import { readlinkSync } from "node:fs";
import type { Environment } from "../../capture/environment.ts";
import { currentBoot, readSystemFile } from "../../capture/files/system-file.ts";
import type { ClientName } from "../context.ts";

/** The process of an agent client beyond doubt: a pid alone is given to somebody else one day. */
export interface ClientProcess {
  readonly pid: number;
  /** When it started, in whatever words the system has for it. */
  readonly start: string;
  /** The boot that it belongs to; empty where the system does not tell. */
  readonly boot: string;
  /** The machine and, in it, the container: elsewhere the pid means nothing. */
  readonly place: string;
  /** Whether the client said that this is it; otherwise it is the one that started us. */
  readonly isNamed: boolean;
}

/** Where clients say which process they are. One may well run inside another, and have its variables, too. */
const VARIABLES: Readonly<Partial<Record<ClientName, string>>> = {
  claude: "CLAUDE_PID",
  opencode: "OPENCODE_PID",
};

/** What is known of a hook's surroundings. */
export interface HookProcess {
  readonly client: ClientName;
  readonly env: Environment;
  readonly parentPid?: number | undefined;
}

/** The process whose end is the end of the session: the one that the client names, else whoever runs the hook. */
export async function findClientProcess(hook: HookProcess): Promise<ClientProcess | undefined> {
  const { client, env, parentPid } = hook;
  const named = env[VARIABLES[client] ?? ""] ?? "";
  const isNamed = /^[1-9]\d{0,9}$/.test(named);
  if (!hasProc()) return isNamed ? withoutProc(Number(named)) : undefined;
  const found = isNamed ? statOf(Number(named)) : parentPid && lastingAncestor(parentPid, client);
  return found ? { pid: found.pid, start: found.start, ...surroundings(), isNamed } : undefined;
}

/** What is known of a client's process now: `elsewhere` when it is one of another machine or container. */
export async function stateOfProcess(client: ClientProcess): Promise<"runs" | "gone" | "elsewhere"> {
  const { pid, start, boot, place } = client;
  const here = surroundings();
  if (place !== here.place) return "elsewhere";
  const now = hasProc() ? statOf(pid) : await withoutProc(pid);
  return boot === here.boot && now?.start === start ? "runs" : "gone";
}

interface Stat {
  readonly pid: number;
  readonly name: string;
  readonly parent: number;
  readonly start: string;
}

/** What stands between a client and the hook that it runs, and mostly ends with it. */
const WRAPPERS =
  /^(sh|bash|dash|ash|zsh|ksh|fish|busybox|env|nice|timeout|sudo|cmd|np[mx]\b.*|pnpm.*|yarn.*)$/;
/** What outlives all clients. */
const KEEPERS = /^(systemd|init|tini|dumb-init|docker-init|containerd-shim.*|sshd.*|tmux.*|screen|login)$/;
const MOST_ANCESTORS = 12;
/** Whoever is younger than this, in hundredths of a second, was started for the hook. */
const YOUNG_TICKS = 50;

/** The nearest process that is the client by its name, or not started for this hook alone; a shell only where there is nothing else. */
function lastingAncestor(parentPid: number, client: ClientName): Stat | undefined {
  const now = 100 * Number.parseFloat(readSystemFile("/proc/uptime") ?? "");
  let shell: Stat | undefined;
  let pid = parentPid;
  for (let step = 0; step < MOST_ANCESTORS && pid > 1; step++) {
    const found = statOf(pid);
    if (found === undefined || KEEPERS.test(found.name)) break;
    if (found.name === client) return found;
    const isOld = now - Number(found.start) >= YOUNG_TICKS;
    if (isOld && !WRAPPERS.test(found.name)) return found;
    if (isOld) shell = found;
    pid = found.parent;
  }
  return shell;
}

/** A process that has ended is none, though nobody may have asked for its status yet. */
function statOf(pid: number): Stat | undefined {
  const stat = readSystemFile(`/proc/${pid}/stat`);
  return stat === undefined || /\) [ZX] /.test(stat) ? undefined : parseStat(pid, stat);
}

/** A program's name may contain anything, so the fields are counted from its end. */
function parseStat(pid: number, stat: string): Stat {
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
  return { boot: currentBoot(), place: `${host} ${processSpace()}`.trim() };
}

function processSpace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

function hasProc(): boolean {
  return readSystemFile("/proc/self/stat") !== undefined;
}

/** As on macOS, where a program has to be asked. */
async function withoutProc(pid: number): Promise<ClientProcess | undefined> {
  const { spawnSync } = await import("node:child_process");
  const { status, stdout } = spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" });
  return status === 0 ? { pid, start: stdout.trim(), ...surroundings(), isNamed: true } : undefined;
}
