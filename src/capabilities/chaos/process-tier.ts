import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Machine } from "../../work/machine/this-machine.ts";
import { openUnguarded } from "../../work/state/cairn.ts";
import type { Run } from "../workflow/run/run-state.ts";
import { readRun } from "../workflow/runner/examine-run.ts";
import { ChaosLog } from "./chaos-log.ts";
import type { ChaosTier, PlaySchedule } from "./chaos-report.ts";
import { RUN_ID } from "./live.ts";
import { fakeTimeLibrary, LIFE_VARIABLE, type LifeFile } from "./one-life.ts";
import type { ChaosFault } from "./schedule.ts";

/** How a runner is started as a process of its own: this command with the same chaos test. */
export interface RunnerProcess {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userId: number | undefined;
  readonly wake: (pid: number) => void;
  readonly onExit: Machine["onExit"];
}

/** Runs in processes of their own, which are killed and stopped by the kernel, on stores in files. */
export function processTier(runner: RunnerProcess): ChaosTier {
  const cannot = new Map<ChaosFault, string>();
  if (runner.userId === 0)
    cannot.set("revoke", "root may write whatever the permissions are; run it as another user");
  if (fakeTimeLibrary() === undefined) cannot.set("clock", "libfaketime is not installed");
  return { name: "processes", cannot, play: playWith(runner) };
}

/** A life that neither ends nor freezes is a bug of ours, or a step that hangs. */
const LIFE_MS = 300_000;

function playWith(runner: RunnerProcess): PlaySchedule {
  return async (_test, schedule, { root, log }) => {
    const frozen: ChildProcess[] = [];
    let takeOver = false;
    let outcome: { readonly ended: string; readonly run?: Run } | undefined;
    // Each death, and each frozen runner, uses up an event of the schedule.
    for (let lives = 0; outcome === undefined && lives <= schedule.length; lives++) {
      const life: LifeFile = {
        root,
        log,
        schedule,
        takeOver,
        outcome: join(dirname(log), `outcome-${lives}.json`),
      };
      const file = join(dirname(log), `life-${lives}.json`);
      writeFileSync(file, JSON.stringify(life));
      const { child, isFrozen, words } = await liveOrFreeze(runner, file);
      takeOver = isFrozen;
      if (isFrozen) frozen.push(child);
      else if (existsSync(life.outcome))
        outcome = JSON.parse(readFileSync(life.outcome, "utf8")) as { ended: string };
      else if (child.signalCode !== "SIGKILL") outcome = { ended: `stopped: ${words}` };
    }
    const broken = await wakeAll(frozen, runner, root, outcome?.run);
    const { events } = new ChaosLog(log);
    return {
      schedule,
      events,
      eventsFile: log,
      root,
      run: outcome?.run,
      ended: outcome?.ended ?? "killed",
      broken,
    };
  };
}

/** Waits until a runner has ended in whatever way, or says that it is about to be stopped. */
async function liveOrFreeze(runner: RunnerProcess, file: string) {
  const child = spawn(runner.program, runner.args, {
    cwd: runner.cwd,
    env: { ...runner.env, [LIFE_VARIABLE]: file },
    stdio: ["ignore", "pipe", "pipe"],
    // Ctrl-C is for the test: what is played is played to its end.
    detached: true,
    timeout: LIFE_MS,
    killSignal: "SIGTERM",
  });
  let words = "";
  child.stderr.on("data", (chunk: Buffer) => (words = (words + chunk.toString("utf8")).slice(-500)));
  // Nothing else would end it, least of all when it is stopped.
  const forget = runner.onExit(() => child.kill("SIGKILL"));
  const ended = once(child, "close").then(() => {
    forget();
    return false;
  });
  const isFrozen = await Promise.race([ended, once(child.stdout, "data").then(() => true)]);
  return { child, isFrozen, words: words.trim() };
}

/** A runner that was replaced must change nothing when it wakes. */
async function wakeAll(
  frozen: readonly ChildProcess[],
  { wake }: RunnerProcess,
  root: string,
  before: Run | undefined,
): Promise<string | undefined> {
  for (const child of frozen) {
    const ended = once(child, "close");
    wake(child.pid!);
    await ended;
  }
  if (frozen.length === 0 || before === undefined) return undefined;
  const cairn = await openUnguarded({ path: join(root, ".cairn") });
  const after = await readRun({ cairn }, RUN_ID);
  await cairn.close();
  return isDeepStrictEqual(after, before)
    ? undefined
    : "A runner that had been replaced changed the run when it woke.";
}
