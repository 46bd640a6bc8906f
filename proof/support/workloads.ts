import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

import { openCairn, type Cairn } from "../../src/doors/library/index.ts";
import { start } from "../../tests/faults/support/child.ts";
import type { Told } from "../../tests/faults/programs/writer.ts";
import { acknowledgedIn, examine } from "./examine.ts";

/** Somebody who saves without end, and what was acknowledged so far. */
export interface Workload {
  readonly name: string;
  /** How many saves were acknowledged. */
  readonly count: () => number;
  /** What was acknowledged up to now, as a check of a copy of the store. Returns what is wrong. */
  readonly check: () => (folder: string) => Promise<string[]>;
  /** While a copy is checked nobody saves: the copy is taken already, and the machine has few cores. */
  readonly pause: (isPaused: boolean) => void;
  readonly stop: () => Promise<void>;
}

/** Only the newest are loaded one by one: what came before is counted. */
const LOADED = 30;

const LAUNCHER = resolve(import.meta.dirname, "../../bin/checkpoint.js");

/** Two processes that commit through the library, into one trail. */
export function libraryWorkload(disk: string, name: string, program: string): Workload {
  const folder = join(disk, name);
  const writers = [0, 1].map(() =>
    start<Told>(program, [folder, "open", "commit:8", "…"], { timeoutMs: 3_600_000 }),
  );
  const all = () =>
    writers.flatMap(({ messages }) => acknowledgedIn(messages)).toSorted((a, b) => a.step - b.step);
  return {
    name: "library",
    count: () => all().length,
    check: () => {
      const acknowledged = all().slice(-LOADED);
      return async (cut) => (acknowledged.length === 0 ? [] : examine(join(cut, name), { acknowledged }));
    },
    pause: (isPaused) => {
      for (const writer of writers) writer.kill(isPaused ? "SIGSTOP" : "SIGCONT");
    },
    stop: async () => {
      for (const writer of writers) writer.kill();
      await Promise.all(writers.map(async (writer) => writer.ended()));
    },
  };
}

interface Command {
  readonly args: readonly string[];
  readonly input?: string;
}

/** One command at a time, whoever asks: on few cores more would only wait for each other. */
let lane: Promise<unknown> = Promise.resolve();

function inLane<T>(work: () => Promise<T>): Promise<T> {
  const turn = lane.then(work);
  lane = turn.catch(() => undefined);
  return turn;
}

/** Runs the command again and again. One that ends with status 0 is an acknowledgement. */
function commandWorkload(
  disk: string,
  { name, home }: { readonly name: string; readonly home: string },
  next: (project: string, turn: number) => Command,
  verify: (cairn: Cairn, turns: readonly number[]) => Promise<string[]>,
): Workload {
  const project = join(disk, name);
  mkdirSync(project);
  const done: number[] = [];
  const stopping = new AbortController();
  let gate = Promise.withResolvers<void>();
  gate.resolve();
  const loop = async () => {
    for (let turn = 1; !stopping.signal.aborted; turn++) {
      await gate.promise;
      const status = await inLane(
        async () => stopping.signal.aborted || runCommand(home, project, next(project, turn)),
      );
      if (status === 0) done.push(turn);
    }
  };
  const ended = loop();
  return {
    name,
    count: () => done.length,
    check: () => {
      const turns = [...done];
      return async (cut) => {
        if (turns.length === 0) return [];
        try {
          const cairn = await openCairn({ path: join(cut, name, ".cairn"), readOnly: true });
          const problems = await verify(cairn, turns);
          const { damage } = await cairn.verify();
          await cairn.close();
          return [...problems, ...damage.map(({ what }) => what)];
        } catch (error) {
          return [`unusable: ${String(error)}`];
        }
      };
    },
    pause: (isPaused) => {
      if (isPaused) gate = Promise.withResolvers<void>();
      else gate.resolve();
    },
    stop: async () => {
      stopping.abort();
      gate.resolve();
      await ended;
    },
  };
}

/** Resolves to the exit status. */
async function runCommand(home: string, cwd: string, { args, input = "" }: Command): Promise<unknown> {
  const env = { PATH: process.env["PATH"], HOME: home };
  const child = spawn(process.execPath, [LAUNCHER, ...args], {
    cwd,
    env,
    stdio: ["pipe", "ignore", "ignore"],
  });
  child.stdin.on("error", () => undefined).end(input);
  return new Promise((ended) => child.once("close", ended));
}

/** Those turns that left no trace among the texts. */
const lostAmong = (turns: readonly number[], texts: readonly string[], word: string) =>
  turns
    .filter((turn) => !texts.includes(`${word} ${turn}`))
    .map((turn) => `lost ${word} ${turn} of ${turns.length}`);

export function nowWorkload(disk: string, home: string): Workload {
  return commandWorkload(
    disk,
    { name: "command", home },
    (_project, turn) => ({ args: ["now", "--notes", `note ${turn}`] }),
    async (cairn, turns) => {
      const history = await cairn.trail("main").history();
      return lostAmong(
        turns,
        history.map(({ notes }) => notes ?? ""),
        "note",
      );
    },
  );
}

const SESSION = "0b6a9f0e-6f6d-4a5c-9d0e-0123456789ab";

export function hookWorkload(disk: string, home: string): Workload {
  return commandWorkload(
    disk,
    { name: "hooks", home },
    (cwd, turn) => ({
      args: ["hook"],
      input: JSON.stringify({
        session_id: SESSION,
        hook_event_name: "UserPromptSubmit",
        prompt: `prompt ${turn}`,
        cwd,
      }),
    }),
    async (cairn, turns) => {
      const [trail] = await cairn.trails({ prefix: "session/" });
      const saved = trail === undefined ? [] : await cairn.trail(trail.name).history();
      // A hook says ok to its client whatever happens, so what counts is that each left a checkpoint of its own.
      return saved.length >= turns.length ? [] : [`${turns.length} prompts, but ${saved.length} checkpoints`];
    },
  );
}

const FLOW =
  "name: flow\nsteps:\n  - id: one\n    run: echo one\n  - id: two\n    needs: [one]\n    run: echo two\n";

export function runWorkload(disk: string, home: string): Workload {
  return commandWorkload(
    disk,
    { name: "runs", home },
    (project, turn) => {
      writeFileSync(join(project, "flow.yaml"), FLOW);
      return { args: ["run", "flow.yaml", "--run-id", `run-${turn}`, "--fresh", "--quiet"] };
    },
    async (cairn, turns) => {
      const problems: string[] = [];
      // Older ones are thinned out, as archives are.
      for (const turn of turns.slice(-3)) {
        const { state } = await cairn.trail<{ run: { status: string } }>(`run/run-${turn}`).load();
        if (state.run.status !== "completed") problems.push(`run ${turn} is ${state.run.status}`);
      }
      return problems;
    },
  );
}
