import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

import { formatDuration } from "../definition/duration.ts";
import type { StepFunction } from "../definition/types.ts";
import type { Outcome } from "../run/settle.ts";
import { makeFolder, readStarted, readStatus, tailOf, writePrivate } from "./attempt-folder.ts";
import type { Engine, RunningAttempt, StepStart } from "./engine.ts";
import { finishWell } from "./finish-attempt.ts";
import { isAlive, type ProcessIdentity } from "./process-identity.ts";
import { runFunction } from "./run-function.ts";
import { environmentOf, type StepSurroundings } from "./step-environment.ts";
import { wrapped } from "./wrapper.ts";

export interface LocalEngineOptions extends StepSurroundings {
  readonly now: () => Date;
  readonly kill: (pid: number, signal: "SIGTERM" | "SIGKILL") => void;
  readonly clean: (text: string) => string;
  readonly mask: (text: string) => string;
  readonly functions: ReadonlyMap<string, StepFunction>;
}

/** How long a command has for its goodbye. */
const GRACE_MS = 2000;
/** How often a command is looked after that is not our child. */
const POLL_MS = 50;

/** Runs steps on this machine: commands in process groups of their own, which outlive the runner, and functions in it. */
export function localEngine(given: LocalEngineOptions): Engine {
  // A plain copy: every look into the environment of the process itself is a call to the system.
  const options = { ...given, env: { ...given.env } };
  return {
    start: (start) => {
      const call = options.functions.get(start.step.id);
      if (start.step.kind === "function" && call) {
        // Only its `verify` is a command, which needs an environment.
        const env =
          start.step.verify === undefined
            ? {}
            : environmentOf(start.step, start.run, start.folder, options, start.attempt);
        return runFunction(call, start, { ...options, env });
      }
      return watch(start, options, launch(start, options));
    },
    // A new file can take as long as a durable commit.
    prepare: (folder) => {
      makeFolder(folder.path);
      for (const path of [folder.results, folder.output]) closeSync(openSync(path, "a", 0o600));
    },
    attach: (start, identity) =>
      watch(start, options, { pid: identity.pid, ended: goneAway(identity), startedMs: startedAt(start) }),
  };
}

interface Watched {
  readonly pid: number | undefined;
  readonly ended: Promise<Ending>;
  readonly startedMs: number;
}

/** How a process ended, as far as its parent knows. */
interface Ending {
  readonly code?: number;
  readonly words: string;
}

function launch(start: StepStart, options: LocalEngineOptions): Watched {
  const { step, run, folder, attempt } = start;
  makeFolder(folder.path);
  writePrivate(folder.results, `${JSON.stringify(start.results())}\n`);
  if (start.handoff !== undefined) writePrivate(folder.handoff, start.handoff);
  const input = openSync(start.handoff === undefined ? "/dev/null" : folder.handoff, "r");
  const output = openSync(folder.output, "a", 0o600);
  try {
    const [program, ...args] = wrapped(step.run!, folder.path);
    const env = environmentOf(step, run, folder, options, attempt);
    // A group of its own: it outlives the runner, Ctrl-C in the terminal does not reach it, and it can be ended as a whole.
    const child = spawn(program, args, {
      cwd: options.root,
      env,
      detached: true,
      stdio: [input, output, output],
    });
    return { pid: child.pid, ended: ending(child), startedMs: Date.now() };
  } finally {
    closeSync(input);
    closeSync(output);
  }
}

async function ending(child: ChildProcess): Promise<Ending> {
  try {
    const [code, signal] = (await once(child, "exit")) as [number | null, string | null];
    return code === null ? { words: signal ?? "a signal" } : { code, words: `status ${code}` };
  } catch (error) {
    return { words: `an error: ${(error as Error).message}` };
  }
}

/** Of something that is not our child, and that left no status: it may have died with its first runner. */
const UNKNOWN: Ending = { words: "nobody knows what" };
/** What the wrapper ends with when the attempt was claimed before it came. */
const CLAIMED = 75;

async function goneAway(identity: ProcessIdentity): Promise<Ending> {
  while (isAlive(identity)) await wait(POLL_MS);
  return UNKNOWN;
}

function startedAt({ folder }: StepStart): number {
  const started = readStarted(folder);
  return started.kind === "never" ? Date.now() : started.atMs;
}

function watch(start: StepStart, options: LocalEngineOptions, watched: Watched): RunningAttempt {
  const { step, attempt } = start;
  let why: "stopped" | "late" | undefined;
  const end = (reason: "stopped" | "late") => {
    why ??= reason;
    const force = () => signalGroup(options, watched.pid, "SIGKILL");
    signalGroup(options, watched.pid, "SIGTERM");
    const timer = setTimeout(force, GRACE_MS);
    void watched.ended.finally(() => {
      clearTimeout(timer);
      // What the command left behind in its group ends with it.
      force();
    });
  };
  const leftMs = step.timeout_ms === undefined ? undefined : watched.startedMs + step.timeout_ms - Date.now();
  const timer = leftMs === undefined ? undefined : setTimeout(() => end("late"), Math.max(0, leftMs));
  const outcome = watched.ended
    .then(async (ending) => {
      clearTimeout(timer);
      return outcomeOf(start, options, { ending, why });
    })
    .catch((error: unknown): Outcome => ({
      kind: "failed",
      step: step.id,
      attempt,
      reason: `Its result could not be read: ${String(error)}`,
    }));
  return { step, attempt, outcome, stop: () => end("stopped") };
}

async function outcomeOf(
  start: StepStart,
  options: LocalEngineOptions,
  { ending, why }: { ending: Ending; why: "stopped" | "late" | undefined },
): Promise<Outcome> {
  const { step, attempt, folder } = start;
  const written = readStatus(folder);
  const ended = (kind: "failed" | "stopped" | "crashed", reason: string): Outcome => ({
    kind,
    step: step.id,
    attempt,
    reason,
  });
  if (written === undefined && ending.code === CLAIMED)
    return ended("crashed", "Another runner had taken this attempt over.");
  // A command that has replaced the wrapper leaves no status, but its parent knows.
  const status = written ?? ending.code;
  if (status === 0) {
    const env = environmentOf(step, start.run, folder, options, attempt);
    return finishWell({ ...options, step, attempt, folder, env });
  }
  if (why === "late") return ended("failed", `It took longer than ${formatDuration(step.timeout_ms!)}.`);
  if (why === "stopped") return ended("stopped", "The run was paused.");
  if (status === undefined && ending === UNKNOWN) return ended("crashed", "it ended without a word");
  const said = options.clean(tailOf(folder.output)).trim();
  const how = status === undefined ? `It was ended by ${ending.words}.` : `It ended with status ${status}.`;
  return ended("failed", said === "" ? how : `${how}\n${said}`);
}

function signalGroup(
  { kill }: LocalEngineOptions,
  pid: number | undefined,
  signal: "SIGTERM" | "SIGKILL",
): void {
  if (pid === undefined) return;
  try {
    kill(-pid, signal);
  } catch {
    // It is gone already, which is all that was wanted.
  }
}
