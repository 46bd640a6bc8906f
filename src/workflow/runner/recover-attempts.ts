import { setTimeout as wait } from "node:timers/promises";

import { currentBoot } from "../../capture/files/system-file.ts";
import type { Step } from "../definition/types.ts";
import { findOutputs } from "../engine/artifacts.ts";
import {
  attemptFolder,
  readStatus,
  revokeOrRead,
  type AttemptClaim,
  type AttemptFolder,
} from "../engine/attempt-folder.ts";
import type { Attempt } from "../engine/engine.ts";
import { finishWell, hasNewOutputs, verifyProblem } from "../engine/finish-attempt.ts";
import { isAlive, type ProcessIdentity } from "../engine/process-identity.ts";
import type { StepSurroundings } from "../engine/step-environment.ts";
import { judge, type AttemptFacts, type AttemptVerdict } from "../run/judge.ts";
import { stateOf, stepOf, stepsWith, type Run } from "../run/run-state.ts";
import { ended, type AttemptOutcome } from "../run/settle.ts";

export interface RecoveryOptions extends StepSurroundings {
  readonly runFolder: string;
  readonly killOrphans: boolean;
}

export interface RecoveredAttempts {
  /** For the next commit: what was adopted, failed or crashed. */
  readonly outcomes: readonly AttemptOutcome[];
  /** Commands that still run. */
  readonly alive: readonly {
    readonly step: Step;
    readonly attempt: number;
    readonly identity: ProcessIdentity;
  }[];
}

/** The wrapper signs its claim within microseconds; the wrapper of an older unsigned claim has died in between. */
const CLAIM_MS = 2000;

/** Finds out what became of every step that was running when its runner died. Only the run's owner may call it. */
export async function recoverAttempts(run: Run, options: RecoveryOptions): Promise<RecoveredAttempts> {
  const outcomes: AttemptOutcome[] = [];
  const alive: { step: Step; attempt: number; identity: ProcessIdentity }[] = [];
  for (const step of stepsWith(run, "running")) {
    const { attempt } = stateOf(run, step.id);
    const folder = attemptFolder(options.runFolder, step.id, attempt);
    const claim = await settledClaim(folder);
    if (claim.kind === "started" && options.killOrphans) await endOrphan(claim.identity, options);
    const attempted = { step, run, folder, attempt };
    const verdict = judge(await factsOf(attempted, claim, options));
    if (verdict.verdict === "re-attach" && claim.kind === "started")
      alive.push({ step, attempt, identity: claim.identity });
    else outcomes.push(await outcomeOf(verdict, attempted, options));
  }
  return { outcomes, alive };
}

/** Ends commands of steps that an edit removed from the definition: nothing would ever watch them again. */
export async function endDropped(
  run: Run,
  underWay: readonly Step[],
  options: Pick<RecoveryOptions, "runFolder" | "kill">,
): Promise<void> {
  for (const { id } of underWay.filter((step) => stepOf(run, step.id) === undefined)) {
    const claim = await settledClaim(attemptFolder(options.runFolder, id, stateOf(run, id).attempt));
    if (claim.kind === "started") await endOrphan(claim.identity, options);
  }
}

async function settledClaim(folder: AttemptFolder): Promise<AttemptClaim> {
  for (;;) {
    const claim = revokeOrRead(folder);
    if (claim.kind !== "unclear" || Date.now() - claim.atMs > CLAIM_MS) return claim;
    await wait(10);
  }
}

/** Ends a command that no runner watches any more, and everything that it started. */
export async function endOrphan(
  identity: ProcessIdentity,
  { kill }: Pick<RecoveryOptions, "kill">,
): Promise<void> {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    if (isAlive(identity)) kill(-identity.pid, signal);
    for (let turns = 0; turns < 100 && isAlive(identity); turns++) await wait(20);
  }
}

async function factsOf(
  attempted: Attempt,
  claim: AttemptClaim,
  around: StepSurroundings,
): Promise<AttemptFacts> {
  const { step, run, folder } = attempted;
  const startedMs = claim.kind === "never" ? Date.parse(stateOf(run, step.id).started_at ?? "") : claim.atMs;
  const process =
    claim.kind === "never"
      ? "never started"
      : claim.kind === "started" && isAlive(claim.identity)
        ? "alive"
        : "gone";
  const exitStatus = readStatus(folder);
  const hasOutputs = (step.outputs?.length ?? 0) > 0;
  const areOutputsThere = hasOutputs && findOutputs(step.outputs!, around.root).missing.length === 0;
  const areOutputsNew = areOutputsThere && hasNewOutputs(step, around.root, startedMs);
  // A function leaves no status, so its files are the only possible proof; a command that never started left none.
  const mayAdopt =
    exitStatus === 0
      ? !hasOutputs || areOutputsThere
      : areOutputsNew && (process === "gone" || step.kind === "function");
  const isVerified =
    process !== "alive" && mayAdopt && step.verify !== undefined
      ? (await verifyProblem(attempted, around)) === undefined
      : undefined;
  return {
    process,
    ...(exitStatus !== undefined && { exitStatus }),
    isSameBoot: claim.kind === "started" && claim.identity.boot === currentBoot(),
    hasOutputs,
    areOutputsNew,
    areOutputsThere,
    ...(isVerified !== undefined && { isVerified }),
  };
}

async function outcomeOf(
  { verdict, reason }: AttemptVerdict,
  attempted: Attempt,
  around: StepSurroundings,
): Promise<AttemptOutcome> {
  if (verdict === "failed") return ended("failed", attempted, reason);
  if (verdict !== "adopt") return ended("crashed", attempted, reason);
  // Its verify has just passed; running it again would only take time.
  const { verify: _, ...proven } = attempted.step;
  const outcome = await finishWell({ ...attempted, step: proven }, around);
  return outcome.kind === "completed"
    ? { ...outcome, adopted: true }
    : ended("crashed", attempted, outcome.reason);
}
