import { setTimeout as wait } from "node:timers/promises";

import { currentBoot } from "../../capture/files/system-file.ts";
import type { Step } from "../definition/types.ts";
import { findOutputs } from "../engine/artifacts.ts";
import {
  attemptFolder,
  readStatus,
  revokeOrRead,
  type AttemptFolder,
  type Started,
} from "../engine/attempt-folder.ts";
import { finishWell, hasNewOutputs, verifyProblem, type Finishing } from "../engine/finish-attempt.ts";
import { isAlive, type ProcessIdentity } from "../engine/process-identity.ts";
import { environmentOf, type StepSurroundings } from "../engine/step-environment.ts";
import { judge, type AttemptFacts, type Judgement } from "../run/judge.ts";
import { indexOf, stateOf, type Run } from "../run/run-state.ts";
import type { Outcome } from "../run/settle.ts";

export interface RecoveryOptions extends StepSurroundings, Pick<Finishing, "now" | "clean" | "mask"> {
  readonly runFolder: string;
  readonly killOrphans: boolean;
  readonly kill: (pid: number, signal: "SIGTERM" | "SIGKILL") => void;
}

export interface Recovered {
  /** For the next commit: what was adopted, failed or crashed. */
  readonly outcomes: readonly Outcome[];
  /** Commands that still run. */
  readonly alive: readonly {
    readonly step: Step;
    readonly attempt: number;
    readonly identity: ProcessIdentity;
  }[];
  readonly judgements: ReadonlyMap<string, Judgement>;
}

/** The wrapper writes its name within microseconds after the claim; an unsigned one that is older has died in between. */
const CLAIM_MS = 2000;

/** Finds out what became of every step that was running when its runner died. Only the owner of the run may ask. */
export async function recoverAttempts(run: Run, options: RecoveryOptions): Promise<Recovered> {
  const outcomes: Outcome[] = [];
  const alive: { step: Step; attempt: number; identity: ProcessIdentity }[] = [];
  const judgements = new Map<string, Judgement>();
  for (const step of run.definition) {
    const { status, attempt } = stateOf(run, step.id);
    if (status !== "running") continue;
    const folder = attemptFolder(options.runFolder, step.id, attempt);
    const started = await settledClaim(folder);
    if (started.kind === "started" && options.killOrphans) await endOrphan(started.identity, options);
    const env = environmentOf(step, run, folder, options, attempt);
    const finishing = { ...options, step, attempt, folder, env };
    const facts = await factsOf(finishing, started, startedMs(run, step, started));
    const judgement = judge(facts);
    judgements.set(step.id, judgement);
    if (judgement.verdict === "re-attach" && started.kind === "started")
      alive.push({ step, attempt, identity: started.identity });
    else outcomes.push(await outcomeOf(judgement, finishing));
  }
  return { outcomes, alive, judgements };
}

/** Ends what runs of steps that an edit took out of the definition: nobody would ever look at it again. */
export async function endDropped(
  run: Run,
  underWay: readonly Step[],
  options: Pick<RecoveryOptions, "runFolder" | "kill">,
): Promise<void> {
  const { byId } = indexOf(run);
  for (const { id } of underWay.filter((step) => !byId.has(step.id))) {
    const started = await settledClaim(attemptFolder(options.runFolder, id, stateOf(run, id).attempt));
    if (started.kind === "started") await endOrphan(started.identity, options);
  }
}

async function settledClaim(folder: AttemptFolder): Promise<Started> {
  for (;;) {
    const started = revokeOrRead(folder);
    if (started.kind !== "unclear" || Date.now() - started.atMs > CLAIM_MS) return started;
    await wait(10);
  }
}

/** Ends a command that nobody watches any more, with everything that it started. */
export async function endOrphan(
  identity: ProcessIdentity,
  { kill }: Pick<RecoveryOptions, "kill">,
): Promise<void> {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    if (isAlive(identity)) kill(-identity.pid, signal);
    for (let turns = 0; turns < 100 && isAlive(identity); turns++) await wait(20);
  }
}

function startedMs(run: Run, step: Step, started: Started): number {
  return started.kind === "never" ? Date.parse(stateOf(run, step.id).started_at ?? "") : started.atMs;
}

async function factsOf(finishing: Finishing, started: Started, sinceMs: number): Promise<AttemptFacts> {
  const { step, folder, root } = finishing;
  const process =
    started.kind === "never"
      ? "never started"
      : started.kind === "started" && isAlive(started.identity)
        ? "alive"
        : "gone";
  const exitStatus = readStatus(folder);
  const hasOutputs = (step.outputs?.length ?? 0) > 0;
  const areOutputsThere = hasOutputs && findOutputs(step.outputs!, root).missing.length === 0;
  const areOutputsNew = areOutputsThere && hasNewOutputs({ step, root }, sinceMs);
  // A function leaves no status, so its files are all the proof there can be; a command that never started has none.
  const mayAdopt =
    exitStatus === 0
      ? !hasOutputs || areOutputsThere
      : areOutputsNew && (process === "gone" || step.kind === "function");
  const isVerified =
    process !== "alive" && mayAdopt && step.verify !== undefined
      ? (await verifyProblem(finishing)) === undefined
      : undefined;
  return {
    process,
    ...(exitStatus !== undefined && { exitStatus }),
    isSameBoot: started.kind === "started" && started.identity.boot === currentBoot(),
    hasOutputs,
    areOutputsNew,
    areOutputsThere,
    ...(isVerified !== undefined && { isVerified }),
  };
}

async function outcomeOf({ verdict, reason }: Judgement, finishing: Finishing): Promise<Outcome> {
  const { step, attempt } = finishing;
  if (verdict === "failed") return { kind: "failed", step: step.id, attempt, reason };
  if (verdict !== "adopt") return { kind: "crashed", step: step.id, attempt, reason };
  // Its verify has just passed; asking again would only take time.
  const { verify: _, ...proven } = step;
  const outcome = await finishWell({ ...finishing, step: proven });
  return outcome.kind === "completed"
    ? { ...outcome, adopted: true }
    : {
        kind: "crashed",
        step: step.id,
        attempt,
        reason: outcome.kind === "failed" ? outcome.reason : reason,
      };
}
