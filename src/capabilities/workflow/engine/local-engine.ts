import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

import type { StepFunction } from "../definition/types.ts";
import { cutShort, ended, type AttemptOutcome } from "../run/settle.ts";
import { makeFolder, readClaim, readStatus, tailOf, writeAttemptFile } from "./attempt-folder.ts";
import type { Engine, RunningAttempt, StepStart } from "./engine.ts";
import { finishWell } from "./finish-attempt.ts";
import { forgetSecrets } from "./forget-secrets.ts";
import { isAlive, type ProcessIdentity } from "./process-identity.ts";
import { runFunction } from "./run-function.ts";
import { environmentOf, type StepSurroundings } from "./step-environment.ts";
import { unwatchedOutcome } from "./unwatched-attempt.ts";
import { wrapped } from "./wrapper.ts";

/** How long a command has to clean up. */
const GRACE_MS = 2000;
/** How often a command that is not our child is checked. */
const POLL_MS = 50;

/** Runs steps on this machine: commands in process groups of their own, which outlive the runner, and functions in it. */
export function localEngine(
  given: StepSurroundings,
  functions: ReadonlyMap<string, StepFunction> = new Map(),
): Engine {
  // A plain copy: every read of process.env itself is a system call.
  const around = { ...given, env: { ...given.env } };
  return {
    start: (start) => {
      const call = functions.get(start.step.id);
      if (start.step.kind === "function" && call) return runFunction(call, start, around);
      return watch(start, around, launch(start, around));
    },
    attach: (start, identity) =>
      watch(start, around, { pid: identity.pid, ended: whenGone(identity), startedMs: startedAt(start) }),
  };
}

interface WatchedProcess {
  readonly pid: number | undefined;
  readonly ended: Promise<ProcessEnd>;
  readonly startedMs: number;
}

/** How a process ended, as far as its parent knows. */
interface ProcessEnd {
  readonly code?: number;
  readonly words: string;
}

function launch(start: StepStart, around: StepSurroundings): WatchedProcess {
  const { step, folder } = start;
  makeFolder(folder.path);
  writeAttemptFile(folder.results, `${JSON.stringify(start.results())}\n`);
  if (start.handoff !== undefined) writeAttemptFile(folder.handoff, start.handoff);
  const input = openSync(start.handoff === undefined ? "/dev/null" : folder.handoff, "r");
  const output = openSync(folder.output, "a", 0o600);
  try {
    const [program, ...args] = wrapped(step.run!, folder.path);
    const env = environmentOf(start, around);
    // A process group of its own: it outlives the runner, Ctrl-C does not reach it, and it can be ended as a whole.
    const child = spawn(program, args, {
      cwd: around.root,
      env,
      detached: true,
      stdio: [input, output, output],
    });
    return { pid: child.pid, ended: endOf(child), startedMs: Date.now() };
  } finally {
    closeSync(input);
    closeSync(output);
  }
}

async function endOf(child: ChildProcess): Promise<ProcessEnd> {
  try {
    const [code, signal] = (await once(child, "exit")) as [number | null, string | null];
    return code === null ? { words: signal ?? "a signal" } : { code, words: `status ${code}` };
  } catch (error) {
    return { words: `an error: ${(error as Error).message}` };
  }
}

/** Of a process that is not our child and left no status: it may have died with its first runner. */
const UNKNOWN: ProcessEnd = { words: "an unknown cause" };
/** The wrapper's exit status when the attempt was already claimed. */
const CLAIMED = 75;

async function whenGone(identity: ProcessIdentity): Promise<ProcessEnd> {
  while (isAlive(identity)) await wait(POLL_MS);
  return UNKNOWN;
}

function startedAt({ folder }: StepStart): number {
  const claim = readClaim(folder);
  return claim.kind === "never" ? Date.now() : claim.atMs;
}

function watch(start: StepStart, around: StepSurroundings, watched: WatchedProcess): RunningAttempt {
  const { step, attempt } = start;
  let why: "stopped" | "late" | undefined;
  const end = (reason: "stopped" | "late") => {
    why ??= reason;
    const force = () => signalGroup(around, watched.pid, "SIGKILL");
    signalGroup(around, watched.pid, "SIGTERM");
    const timer = setTimeout(force, GRACE_MS);
    void watched.ended.finally(() => {
      clearTimeout(timer);
      // What the command left running in its group ends with it.
      force();
    });
  };
  const leftMs = step.timeout_ms === undefined ? undefined : watched.startedMs + step.timeout_ms - Date.now();
  const timer = leftMs === undefined ? undefined : setTimeout(() => end("late"), Math.max(0, leftMs));
  const outcome = watched.ended
    .then(async (processEnd) => {
      clearTimeout(timer);
      return outcomeOf(start, around, processEnd, why);
    })
    .catch((error: unknown) => ended("failed", start, `Its result could not be read: ${String(error)}`))
    .finally(() => forgetSecrets(step.id, start.folder, around));
  return { step, attempt, outcome, stop: () => end("stopped") };
}

async function outcomeOf(
  start: StepStart,
  around: StepSurroundings,
  processEnd: ProcessEnd,
  why: "stopped" | "late" | undefined,
): Promise<AttemptOutcome> {
  const { folder } = start;
  const written = readStatus(folder);
  if (written === undefined && processEnd.code === CLAIMED)
    return ended("crashed", start, "Another runner had taken this attempt over.");
  // A command that has replaced the wrapper leaves no status, but its parent knows.
  const status = written ?? processEnd.code;
  if (status === 0) return finishWell(start, around);
  if (why !== undefined) return cutShort(why, start);
  if (status === undefined && processEnd === UNKNOWN)
    return unwatchedOutcome(start, readClaim(folder), around);
  const printed = around.clean(tailOf(folder.output)).trim();
  const how =
    status === undefined ? `It was ended by ${processEnd.words}.` : `It ended with status ${status}.`;
  return ended("failed", start, printed === "" ? how : `${how}\n${printed}`);
}

function signalGroup(
  { kill }: StepSurroundings,
  pid: number | undefined,
  signal: "SIGTERM" | "SIGKILL",
): void {
  if (pid === undefined) return;
  try {
    kill(-pid, signal);
  } catch {
    // It has already ended, which is all that was wanted.
  }
}
