import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Json } from "../../core/objects/json.ts";
import { shellWord } from "../../core/text/shell-word.ts";
import { isRecord } from "../../core/text/untrusted.ts";
import type { Step } from "../workflow/definition/types.ts";
import { attemptFolder } from "../workflow/engine/attempt-folder.ts";
import type { StepStart } from "../workflow/engine/engine.ts";
import { wordsOf } from "../workflow/engine/wrapper.ts";
import { ended, type AttemptOutcome } from "../workflow/run/settle.ts";

export type TierName = "in-process" | "processes" | "workers";

/** A call of a step that is struck, and what a fault may do about it. */
export interface StruckCall {
  readonly start: StepStart;
  /** Does the step's work, or what another start says. Aborted at once, a function sees that it is too late. */
  readonly work: (start?: StepStart, isAborted?: boolean) => Promise<AttemptOutcome>;
  /** Has something done after the next attempt of this step. */
  readonly later: (act: () => Promise<unknown>) => void;
  /** Resolves once nothing else runs. */
  readonly quiet: () => Promise<void>;
  /** Ends the process that runs the step. Never resolves. */
  readonly die: () => Promise<never>;
  /** Stops that process, or cuts it off from the store, until another one has taken its place. */
  readonly pause: (how: "freeze" | "cut-off") => Promise<void>;
}

interface Fault {
  /** What it strikes; steps that do work unless given. */
  readonly strikes?: "work-and-questions" | "contradictions" | "commands";
  /** Where it can be made; everywhere unless given. */
  readonly tiers?: readonly TierName[];
  /** Why this machine cannot make it. */
  readonly whyNot?: (isRoot: boolean) => string | undefined;
  readonly strike: (call: StruckCall) => Promise<AttemptOutcome>;
}

const PROCESSES = ["processes", "workers"] as const;
/** Files that some faults need. */
const SETPRIV = "/usr/bin/setpriv";
const FAKE_TIME = ["x86_64-linux-gnu/", "aarch64-linux-gnu/", ""]
  .map((machine) => `/usr/lib/${machine}faketime/libfaketime.so.1`)
  .find((path) => existsSync(path));

/** Every fault: what it strikes, what it needs, and what it does to a call. */
const TABLE = {
  /** The process is killed before the step does anything, or after a question was answered elsewhere. */
  kill: { strikes: "work-and-questions", strike: ({ die }) => die() },
  "kill-after-effect": {
    strike: async (call) => {
      await call.work();
      forgetStatus(call.start);
      return call.die();
    },
  },
  fail: { strike: async ({ start }) => failed(start) },
  "fail-after-effect": { strike: (call) => changed(call, () => failed(call.start)) },
  slow: { strike: (call) => changed(call, (outcome) => call.quiet().then(() => outcome)) },
  /** The work is done twice; a question is answered twice. */
  twice: {
    strikes: "work-and-questions",
    strike: (call) => changed(call, () => call.work(again(call.start))),
  },
  /** The step times out, and its work is done after the next attempt's. */
  late: {
    strike: async (call) => {
      call.later(() => call.work(call.start, true));
      return failed(call.start);
    },
  },
  contradict: {
    strikes: "contradictions",
    strike: (call) =>
      changed(call, (outcome) => ({
        ...outcome,
        result: opposite(outcome.result ?? null, call.start.step) ?? null,
      })),
  },
  freeze: {
    tiers: PROCESSES,
    strike: (call) => changed(call, (outcome) => call.pause("freeze").then(() => outcome)),
  },
  "cut-off": {
    tiers: ["workers"],
    strike: (call) => changed(call, (outcome) => call.pause("cut-off").then(() => outcome)),
  },
  /** The folders of the outputs are read-only. Root then runs the command without the right to ignore that. */
  revoke: {
    strikes: "commands",
    tiers: PROCESSES,
    whyNot: (isRoot) =>
      isRoot && !existsSync(SETPRIV) ? "root may write everywhere, and there is no setpriv" : undefined,
    strike: ({ start, work }) => {
      const folders = [".", ...(start.step.outputs ?? []).map((path) => dirname(path))]
        .map(shellWord)
        .join(" ");
      const script = `chmod a-w ${folders} 2>/dev/null; ${AS_OTHERS} "$@"; s=$?; chmod u+w ${folders} 2>/dev/null; exit $s`;
      return work(inShell(start, script));
    },
  },
  /** Nothing listens there. Node's own programs use these variables if the last one says so. */
  net: {
    strikes: "commands",
    tiers: PROCESSES,
    strike: ({ start, work }) => {
      const names = ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"];
      const proxies = Object.fromEntries(names.map((name) => [name, "http://127.0.0.1:1"]));
      return work(withEnv(start, { ...proxies, NODE_USE_ENV_PROXY: "1" }));
    },
  },
  "full-disk": {
    strikes: "commands",
    tiers: PROCESSES,
    strike: ({ start, work }) => work(inShell(start, `trap '' XFSZ; ulimit -f 0; exec "$@"`)),
  },
  clock: {
    strikes: "commands",
    tiers: PROCESSES,
    whyNot: () => (FAKE_TIME === undefined ? "libfaketime is not installed" : undefined),
    strike: ({ start, work }) => work(withEnv(start, { LD_PRELOAD: FAKE_TIME!, FAKETIME: "+2d" })),
  },
} as const satisfies Record<string, Fault>;

export type ChaosFault = keyof typeof TABLE;
export const FAULTS: Readonly<Record<ChaosFault, Fault>> = TABLE;
export const FAULT_NAMES = Object.keys(TABLE) as readonly ChaosFault[];

/** Why a fault cannot strike there; undefined if it can. */
export function whyNotTried(fault: ChaosFault, tier: TierName, isRoot: boolean): string | undefined {
  const { tiers, whyNot } = FAULTS[fault];
  if (tiers?.includes(tier) === false)
    return tiers.length === 1 ? "only with --workers" : "only with --processes or --workers";
  return whyNot?.(isRoot);
}

/** Whether a fault can strike a step that ended with this result when nothing struck. */
export function suits(fault: ChaosFault, step: Step, result: Json): boolean {
  const { strikes } = FAULTS[fault];
  if (step.kind === "approval") return strikes === "work-and-questions" || strikes === "contradictions";
  if (strikes === "contradictions") return opposite(result, step) !== undefined;
  return step.kind === "command" || (step.kind === "function" && strikes !== "commands");
}

const failed = (start: StepStart) => ended("failed", start, "Chaos struck.");

type Completed = Extract<AttemptOutcome, { kind: "completed" }>;

/** Does the work, and changes what came of it if it went well. */
async function changed(
  call: StruckCall,
  change: (outcome: Completed) => AttemptOutcome | Promise<AttemptOutcome>,
): Promise<AttemptOutcome> {
  const outcome = await call.work();
  return outcome.kind === "completed" ? change(outcome) : outcome;
}

/** The same start, with a folder of its own: an attempt's folder is claimed once. */
function again(start: StepStart): StepStart {
  const run = join(start.folder.path, "..");
  return { ...start, folder: attemptFolder(run, `${start.step.id}~again`, start.attempt) };
}

/** Takes back that the command ended, as if it had been killed with its runner. */
function forgetStatus({ step, folder }: StepStart): void {
  if (step.kind !== "command") return;
  const claim = readFileSync(folder.started, "utf8").split("\n").slice(0, 3);
  writeFileSync(folder.started, `${claim.join("\n")}\n`);
}

function withEnv(start: StepStart, env: Readonly<Record<string, string>>): StepStart {
  return { ...start, step: { ...start.step, env: { ...start.step.env, ...env } } };
}

/** The step's command as the arguments of a script. */
function inShell(start: StepStart, script: string): StepStart {
  const run = ["/bin/sh", "-c", script, "sh", ...wordsOf(start.step.run!)];
  return { ...start, step: { ...start.step, run } };
}

const AS_OTHERS = `$([ "$(id -u)" != 0 ] || echo ${SETPRIV} --bounding-set=-dac_override,-dac_read_search --inh-caps=-all)`;

/** The result of a step that says the opposite; undefined if it says nothing that has one. A reviewer without words approves. */
function opposite(result: Json, { reviewer }: Step): Json | undefined {
  if (reviewer !== undefined && (!isRecord(result) || result["verdict"] === undefined))
    return { verdict: "reject" };
  const turned = turn(result);
  return JSON.stringify(turned) === JSON.stringify(result) ? undefined : turned;
}

const OPPOSITES = [
  ["approve", "reject"],
  ["yes", "no"],
  ["pass", "fail"],
  ["passed", "failed"],
];

function turn(value: Json): Json {
  if (typeof value === "boolean") return !value;
  if (typeof value === "string")
    return OPPOSITES.find((pair) => pair.includes(value))?.find((other) => other !== value) ?? value;
  if (Array.isArray(value) || !isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, turn(each)]));
}
