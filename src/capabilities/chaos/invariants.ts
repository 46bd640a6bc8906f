import { spawn } from "node:child_process";
import { once } from "node:events";
import { isDeepStrictEqual } from "node:util";
import type { Json } from "../../core/objects/json.ts";
import { isRecord } from "../../core/text/untrusted.ts";
import type { Environment } from "../../work/machine/environment.ts";
import { wordsOf } from "../workflow/engine/wrapper.ts";
import { stateOf, type Run } from "../workflow/run/run-state.ts";
import type { ChaosFile, ChaosInvariant } from "./chaos-file.ts";
import type { PlayedRun } from "./played-run.ts";
import { eventText } from "./schedule.ts";

/** An invariant that does not hold, and why. */
export interface BrokenInvariant {
  readonly invariant: string;
  readonly reason: string;
}

/** How the run ends without faults. What differs there from one time to the next is not compared. */
export interface Undisturbed {
  readonly files: ReadonlyMap<string, string>;
  readonly results: ReadonlyMap<string, Json>;
  readonly unsteady: Set<string>;
}

/** Every invariant that a run broke: those that hold for all workflows, then those of the file. */
export async function brokenInvariants(
  played: PlayedRun,
  test: Pick<ChaosFile, "budget" | "invariants">,
  {
    undisturbed,
    files,
    env,
  }: { readonly undisturbed: Undisturbed; readonly files: Undisturbed["files"]; readonly env: Environment },
): Promise<BrokenInvariant[]> {
  const broken = (invariant: string, reason: string | undefined) =>
    reason === undefined ? [] : [{ invariant, reason }];
  const own = [];
  for (const invariant of test.invariants ?? [])
    own.push(...broken(invariant.name, await whyNot(invariant, played, env)));
  return [
    ...broken("no-step-twice", stepDoneTwice(played)),
    ...broken("no-lost-approval", lostApproval(played)),
    ...broken("same-result", otherResult(played, files, undisturbed)),
    ...broken("budget", overBudget(played, test.budget ?? {})),
    ...own,
  ];
}

/** A review without its quorum is held again, so reviewers may be asked twice. */
function stepDoneTwice({ events, run, broken }: PlayedRun): string | undefined {
  if (broken !== undefined) return broken;
  const reviewers = run?.definition.filter(({ reviewer }) => reviewer !== undefined).map(({ id }) => id);
  const done = new Set<string>();
  for (const event of events) {
    if ("step" in event && reviewers?.includes(event.step)) continue;
    if (event.type === "step-started" && !event.reattached && done.has(event.step))
      return `Step "${event.step}" started again after it had completed.`;
    if (event.type !== "step-completed") continue;
    if (done.has(event.step)) return `Step "${event.step}" completed twice.`;
    done.add(event.step);
  }
  return undefined;
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

/** Whether an answer was turned round, or a reviewer lost: then another result may be right, and only the file can know. */
function isOtherwise({ events, run }: PlayedRun): boolean {
  const isLost = run?.definition.some(
    ({ id, reviewer }) => reviewer !== undefined && stateOf(run, id).status === "failed",
  );
  return isLost === true || events.some((event) => event.type === "called" && event.fault === "contradict");
}

function otherResult(
  played: PlayedRun,
  files: Undisturbed["files"],
  undisturbed: Undisturbed,
): string | undefined {
  if (isOtherwise(played)) return undefined;
  if (played.ended !== "completed")
    return `The run ended ${played.ended}: ${played.run?.reason ?? "it was never started"}`;
  const [path] = differences(undisturbed.files, files).filter((each) => !undisturbed.unsteady.has(each));
  if (path !== undefined) {
    const [was, is] = [undisturbed.files.has(path), files.has(path)];
    return `The file "${path}" ${is ? (was ? "has other contents" : "is there") : "is missing"}, unlike without faults.`;
  }
  const results = resultsOf(played.run!);
  const [step] = differences(undisturbed.results, results).filter(
    (each) => !undisturbed.unsteady.has(`result of ${each}`) && stateOf(played.run!, each).adopted !== true,
  );
  return step === undefined ? undefined : `The result of step "${step}" is another one than without faults.`;
}

/** The results of steps that do work. Reviews and answers say who and when. */
export function resultsOf(run: Run): Map<string, Json> {
  const working = run.definition.filter(({ kind }) => kind === "command" || kind === "function");
  return new Map(working.map(({ id }) => [id, stateOf(run, id).result ?? null]));
}

/** What is not the same in both. */
export function differences(before: ReadonlyMap<string, Json>, after: ReadonlyMap<string, Json>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => !isDeepStrictEqual(before.get(name), after.get(name)),
  );
}

function overBudget({ events }: PlayedRun, budget: Readonly<Record<string, number>>): string | undefined {
  for (const [name, most] of Object.entries(budget)) {
    const spent = name === "starts" ? startsIn(events) : spentOn(events, name);
    if (spent > most) return `${name}: ${spent}, where ${most} are the most.`;
  }
  return undefined;
}

const startsIn = (events: PlayedRun["events"]) =>
  events.filter((event) => event.type === "step-started" && !event.reattached).length;

const spentOn = (events: PlayedRun["events"], name: string) =>
  events.reduce((sum, event) => {
    const value = event.type === "step-completed" && isRecord(event.result) ? event.result[name] : 0;
    return sum + (typeof value === "number" ? value : 0);
  }, 0);

const PATIENCE_MS = 60_000;
const MOST_CHARS = 500;

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
  const child = spawn(program, args, {
    cwd: played.root,
    env: { ...env, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: PATIENCE_MS,
    killSignal: "SIGKILL",
  });
  let printed = "";
  const hear = (chunk: Buffer) => {
    if (printed.length < MOST_CHARS) printed += chunk.toString("utf8");
  };
  child.stdout.on("data", hear);
  child.stderr.on("data", hear);
  const [status, signal] = (await once(child, "close")) as [number | null, string | null];
  if (status === 0) return undefined;
  return printed.trim().slice(0, MOST_CHARS) || `Its command ended with ${signal ?? `status ${status}`}.`;
}
