import { setTimeout as wait } from "node:timers/promises";

import type { WorkflowContext } from "../context.ts";
import type { Step } from "../definition/types.ts";
import {
  attemptFolder,
  revokeOrRead,
  type AttemptClaim,
  type AttemptFolder,
} from "../engine/attempt-folder.ts";
import { forgetSecrets } from "../engine/forget-secrets.ts";
import { isAlive, type ProcessIdentity } from "../engine/process-identity.ts";
import type { StepSurroundings } from "../engine/step-environment.ts";
import { unwatchedOutcome } from "../engine/unwatched-attempt.ts";
import { stateOf, stepsWith, type Run } from "../run/run-state.ts";
import type { AttemptOutcome } from "../run/settle.ts";
import { runFolder } from "./run-folder.ts";

export interface RecoveryOptions {
  /** Ends commands that still run, instead of re-attaching them. */
  readonly killOrphans?: boolean;
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
export async function recoverAttempts(
  run: Run,
  context: WorkflowContext & StepSurroundings,
  { killOrphans = false }: RecoveryOptions,
): Promise<RecoveredAttempts> {
  const outcomes: AttemptOutcome[] = [];
  const alive: { step: Step; attempt: number; identity: ProcessIdentity }[] = [];
  for (const step of stepsWith(run, "running")) {
    const { attempt } = stateOf(run, step.id);
    const folder = attemptFolder(runFolder(context, run.id), step.id, attempt);
    const claim = await settledClaim(folder);
    if (claim.kind === "started" && killOrphans) await endOrphan(claim.identity, context);
    if (claim.kind === "started" && isAlive(claim.identity))
      alive.push({ step, attempt, identity: claim.identity });
    else {
      outcomes.push(await unwatchedOutcome({ step, run, folder, attempt }, claim, context));
      forgetSecrets(step.id, folder, context);
    }
  }
  return { outcomes, alive };
}

/** Ends the commands of these steps, which no runner watches any more, and everything that they started. */
export async function endOrphans(
  run: Run,
  steps: readonly Step[],
  context: Pick<WorkflowContext, "folder" | "kill">,
): Promise<void> {
  for (const { id } of steps) {
    const folder = attemptFolder(runFolder(context, run.id), id, stateOf(run, id).attempt);
    const claim = await settledClaim(folder);
    if (claim.kind === "started") await endOrphan(claim.identity, context);
  }
}

async function settledClaim(folder: AttemptFolder): Promise<AttemptClaim> {
  for (;;) {
    const claim = revokeOrRead(folder);
    if (claim.kind !== "unclear" || Date.now() - claim.atMs > CLAIM_MS) return claim;
    await wait(10);
  }
}

async function endOrphan(identity: ProcessIdentity, { kill }: Pick<WorkflowContext, "kill">): Promise<void> {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    if (isAlive(identity)) kill(-identity.pid, signal);
    for (let turns = 0; turns < 100 && isAlive(identity); turns++) await wait(20);
  }
}
