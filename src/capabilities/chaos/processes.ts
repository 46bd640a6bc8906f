import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Project } from "../../work/project/project.ts";
import { openSharedStore, reachable, STORE_VARIABLE } from "../../work/project/shared-store.ts";
import { runTrail } from "../../work/state/run-trail.ts";
import { readRun } from "../workflow/runner/examine-run.ts";
import { cuttableLine } from "./cuttable-line.ts";
import { LEASE_MS, LIFE_VARIABLE, type LifeSpec, openCairn } from "./one-life.ts";
import type { ChaosTier, Play, Stage } from "./play.ts";
import { CHAOS_RUN } from "./search.ts";
import { readLog } from "./striker.ts";

/** How this command is started as a runner or a worker: with the same chaos test. */
export interface LifeProgram {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

/** Runs in processes of their own, which the kernel kills and stops: on stores in files, or with workers on a server. */
export async function inProcesses(
  project: Project,
  program: LifeProgram,
  { onWorkers }: { readonly onWorkers: boolean },
): Promise<ChaosTier> {
  return {
    name: onWorkers ? "workers" : "processes",
    whyNot: onWorkers ? await whyNoWorkers(project) : undefined,
    open: async (play) => openStage(project, program, play, onWorkers),
  };
}

/** Processes that freeze would keep other people's work waiting. */
async function whyNoWorkers(project: Project): Promise<string | undefined> {
  const { shared } = project;
  if (shared === undefined) return `no store on a server is chosen: set ${STORE_VARIABLE}`;
  try {
    const store = await openSharedStore(project, shared);
    const trails = await store.trails();
    await store.close();
    const isOther = trails.some(({ name }) => !name.startsWith(runTrail(CHAOS_RUN)));
    return isOther ? "the store holds other work: name a schema of its own, as in ?schema=chaos" : undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** A life that neither ends nor freezes is a bug of ours, or a step that hangs. */
const LIFE_MS = 300_000;
const WORKERS = 2;
const DRAIN_MS = 15_000;
const LONGEST_WORDS = 500;

interface Life {
  readonly child: ChildProcess;
  /** Resolves with what it said it is about to do, or with undefined when it has ended. */
  readonly fate: Promise<string | undefined>;
  readonly ended: Promise<unknown>;
  readonly words: () => string;
}

/** Starts this command as a runner or a worker. */
function startLife(
  { env, machine }: Project,
  { program, args, cwd }: LifeProgram,
  spec: LifeSpec,
  store: string | undefined,
): Life {
  const own = { [LIFE_VARIABLE]: JSON.stringify(spec), ...(store && { [STORE_VARIABLE]: store }) };
  const child = spawn(program, args, {
    cwd,
    env: { ...env, ...own },
    stdio: ["ignore", "pipe", "pipe"],
    // Ctrl-C is for the test: what is played is played to its end.
    detached: true,
    timeout: LIFE_MS,
  });
  let words = "";
  child.stderr.on("data", (chunk) => (words = `${words}${String(chunk)}`.slice(-LONGEST_WORDS)));
  // Nothing else would end it, least of all when it is stopped.
  const forget = machine.onExit(() => child.kill("SIGKILL"));
  const ended = once(child, "close").then(forget);
  const told = once(child.stdout, "data").then(([chunk]) => String(chunk).trim());
  const fate = Promise.race([ended.then(() => undefined), told]);
  return { child, fate, ended, words: () => words.trim() };
}

function openStage(
  project: Project,
  program: LifeProgram,
  { schedule, root, log, run }: Play,
  onWorkers: boolean,
): Stage {
  const frozen: Life[] = [];
  const working = new Set<Life>();
  const over = new AbortController();
  let workers: Promise<unknown> | undefined;
  const start = (spec: Pick<LifeSpec, "role" | "takeOver">, store?: string) =>
    startLife(project, program, { schedule, root, log, run, onWorkers, ...spec }, store);

  /** Keeps one worker alive. Each death uses up an event of the schedule. */
  const keepWorker = async () => {
    for (let deaths = 0; deaths <= schedule.length && !over.signal.aborted; deaths++) {
      const line = await cuttableLine(reachable(project.shared!));
      const life = start({ role: "worker" }, line.url);
      working.add(life);
      void life.ended.then(line.close);
      const fate = await life.fate;
      if (fate === "freeze") frozen.push(life);
      if (fate !== "cut-off") continue;
      line.cutFor(2 * LEASE_MS);
      await life.ended;
    }
  };
  const read = async () => {
    const cairn = await openCairn(project, { root, onWorkers });
    const found = await readRun({ cairn }, run).catch(() => undefined);
    await cairn.close();
    return found;
  };

  return {
    live: async () => {
      if (onWorkers) workers ??= Promise.all(Array.from({ length: WORKERS }, keepWorker));
      const life = start({ role: "runner", takeOver: frozen.length > 0 });
      if ((await life.fate) !== undefined) {
        frozen.push(life);
        return undefined;
      }
      const ended = readLog(log).find((event) => event.type === "ended");
      if (ended !== undefined) return ended.how;
      return life.child.signalCode === "SIGKILL" ? undefined : `stopped: ${life.words()}`;
    },
    end: async () => {
      over.abort();
      const before = await read();
      for (const { child } of frozen) child.kill("SIGCONT");
      for (const { child } of working) child.kill("SIGTERM");
      const all = Promise.all([...frozen, ...working].map(({ ended }) => ended));
      await Promise.race([all, wait(DRAIN_MS, undefined, { ref: false })]);
      for (const { child } of working) child.kill("SIGKILL");
      await Promise.all([all, workers]);
      const after = await read();
      const isSame = isDeepStrictEqual(after, before);
      return {
        run: after,
        broken: isSame ? undefined : "A runner that had been replaced changed the run when it woke.",
      };
    },
  };
}
