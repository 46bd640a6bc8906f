import { spawnSync } from "node:child_process";
import { isDeepStrictEqual } from "node:util";
import type { Json } from "../../core/objects/json.ts";
import { isRecord } from "../../core/text/untrusted.ts";
import type { Environment } from "../../work/machine/environment.ts";
import { wordsOf } from "../workflow/engine/wrapper.ts";
import { stateOf, type Run } from "../workflow/run/run-state.ts";
import type { ChaosFile, ChaosInvariant } from "./chaos-file.ts";
import type { PlayedRun } from "./play.ts";
import { filesIn } from "./project-copies.ts";
import { eventText } from "./schedule.ts";
import { callsIn } from "./striker.ts";

/** An invariant that does not hold, and why. */
export interface BrokenInvariant {
  readonly invariant: string;
  readonly reason: string;
}

/** What is left of a run, by its name in words: its files, and the results of the steps that do work. Reviews and answers say who and when. */
export type Remains = ReadonlyMap<string, Json>;

export function remainsOf(root: string, run: Run | undefined): Remains {
  const working = run?.definition.filter(({ kind }) => kind === "command" || kind === "function") ?? [];
  return new Map<string, Json>([
    ...filesIn(root).map(([path, digest]) => [`the file "${path}"`, digest] as const),
    ...working.map(({ id }) => [`the result of step "${id}"`, resultOf(run!, id)] as const),
  ]);
}

/** The outputs of an adopted step prove that it was done; what it returned is not known. */
const ADOPTED = "adopted";
const resultOf = (run: Run, id: string) =>
  stateOf(run, id).adopted === true ? ADOPTED : (stateOf(run, id).result ?? null);

/** What is not the same in both. */
export const differences = (before: Remains, after: Remains): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => after.get(name) !== ADOPTED && !isDeepStrictEqual(before.get(name), after.get(name)),
  );

/** Every invariant that a run broke: those that hold for all workflows, then those of the file. `differing`: from what is left without faults. */
export async function brokenInvariants(
  played: PlayedRun,
  {
    test,
    differing,
    env,
  }: { readonly test: ChaosFile; readonly differing: readonly string[]; readonly env: Environment },
): Promise<BrokenInvariant[]> {
  const reasons: [string, string | undefined][] = [
    ["no-step-twice", stepDoneTwice(played)],
    ["no-lost-approval", lostApproval(played)],
    ["same-result", otherResult(played, differing)],
    ["budget", overBudget(played, test.budget ?? {})],
  ];
  for (const invariant of test.invariants ?? [])
    reasons.push([invariant.name, await whyNot(invariant, played, env)]);
  return reasons.flatMap(([invariant, reason]) => (reason === undefined ? [] : { invariant, reason }));
}

/** A review without its quorum is held again, so reviewers may be asked twice. */
function stepDoneTwice({ events, run, broken }: PlayedRun): string | undefined {
  const reviewers = run?.definition.filter(({ reviewer }) => reviewer !== undefined).map(({ id }) => id);
  const done = new Set<string>();
  for (const event of events) {
    if (event.type !== "called" && event.type !== "step-completed") continue;
    if (done.has(event.step))
      return `Step "${event.step}" ${event.type === "called" ? "started again after it had completed" : "completed twice"}.`;
    if (event.type === "step-completed" && reviewers?.includes(event.step) !== true) done.add(event.step);
  }
  return broken;
}

function lostApproval({ events, run }: PlayedRun): string | undefined {
  for (const event of events) {
    if (event.type === "called" && event.unanswered.length > 0)
      return `Step "${event.step}" started before "${event.unanswered[0]}" was answered.`;
    if (event.type !== "answered" && event.type !== "approval-decided") continue;
    const decision = run && stateOf(run, event.step).decision;
    if (decision?.approved !== true || (decision.option ?? null) !== event.option)
      return `The answer to "${event.step}" was lost.`;
  }
  return undefined;
}

/** Where an answer was turned round, or a reviewer lost, another result may be right, and only the file can know. */
function otherResult({ events, run, ended }: PlayedRun, differing: readonly string[]): string | undefined {
  const isLost = run?.definition.some(
    ({ id, reviewer }) => reviewer !== undefined && stateOf(run, id).status === "failed",
  );
  if (isLost === true || callsIn(events).some(({ fault }) => fault === "contradict")) return undefined;
  if (ended !== "completed") return `The run ended ${ended}: ${run?.reason ?? "it was never started"}`;
  return differing.length === 0 ? undefined : `It differs from a run without faults: ${differing[0]}.`;
}

function overBudget({ events }: PlayedRun, budget: Readonly<Record<string, number>>): string | undefined {
  const spentOn = (name: string) =>
    events.map((event) => {
      if (name === "starts") return event.type === "called" ? 1 : 0;
      const value = event.type === "step-completed" && isRecord(event.result) ? event.result[name] : 0;
      return typeof value === "number" ? value : 0;
    });
  for (const [name, most] of Object.entries(budget)) {
    const spent = spentOn(name).reduce((sum, each) => sum + each, 0);
    if (spent > most) return `${name}: ${spent}, where ${most} are the most.`;
  }
  return undefined;
}

const PATIENCE_MS = 60_000;
const MOST_CHARS = 500;
const MOST_BYTES = 64 * 2 ** 20;

async function whyNot(
  { run, holds }: ChaosInvariant,
  played: PlayedRun,
  env: Environment,
): Promise<string | undefined> {
  if (holds !== undefined) {
    const answer = await Promise.resolve(played).then(holds);
    return answer === true ? undefined : typeof answer === "string" ? answer : "It does not hold.";
  }
  const [program = "", ...args] = wordsOf(run!);
  const variables = {
    CHAOS_EVENTS: played.eventsFile,
    CHAOS_STATUS: played.ended,
    CHAOS_SCHEDULE: played.schedule.map(eventText).join("\n"),
  };
  const { status, signal, error, output } = spawnSync(program, args, {
    cwd: played.root,
    env: { ...env, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
    encoding: "utf8",
    timeout: PATIENCE_MS,
    killSignal: "SIGKILL",
    maxBuffer: MOST_BYTES,
  });
  if (status === 0) return undefined;
  const printed = (output ?? []).join("").trim().slice(0, MOST_CHARS);
  return printed || `Its command ended with ${error?.message ?? signal ?? `status ${status}`}.`;
}
