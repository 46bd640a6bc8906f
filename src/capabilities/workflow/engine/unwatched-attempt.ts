import { currentBoot } from "../../../work/machine/system-file.ts";
import { judge, type AttemptFacts } from "../run/judge.ts";
import { stateOf } from "../run/run-state.ts";
import { ended, type AttemptOutcome } from "../run/settle.ts";
import { readStatus, type AttemptClaim } from "./attempt-folder.ts";
import type { Attempt } from "./engine.ts";
import { finishWell, outputsSince, verifyProblem } from "./finish-attempt.ts";
import type { StepSurroundings } from "./step-environment.ts";

/**
 * The outcome of an attempt that has ended, or never began, while no parent watched it: judged by what it left
 * behind. The same for one that was gone when its run was resumed and for one that was still alive then.
 */
export async function unwatchedOutcome(
  attempted: Attempt,
  claim: AttemptClaim,
  around: StepSurroundings,
): Promise<AttemptOutcome> {
  const { verdict, reason } = judge(await factsOf(attempted, claim, around));
  if (verdict === "failed") return ended("failed", attempted, reason);
  if (verdict !== "adopt") return ended("crashed", attempted, reason);
  // Its verify has just passed; running it again would only take time.
  const { verify: _, ...proven } = attempted.step;
  const outcome = await finishWell({ ...attempted, step: proven }, around);
  return outcome.kind === "completed"
    ? { ...outcome, adopted: true }
    : ended("crashed", attempted, outcome.reason);
}

async function factsOf(
  attempted: Attempt,
  claim: AttemptClaim,
  around: StepSurroundings,
): Promise<AttemptFacts> {
  const { step, run, folder } = attempted;
  const startedMs = claim.kind === "never" ? Date.parse(stateOf(run, step.id).started_at ?? "") : claim.atMs;
  const wasStarted = claim.kind !== "never";
  const exitStatus = readStatus(folder);
  const outputs = outputsSince(startedMs, step, around.root);
  // A function leaves no status, so its files are the only possible proof; a command that never started left none.
  const mayAdopt =
    exitStatus === 0 ? outputs !== "missing" : outputs === "new" && (wasStarted || step.kind === "function");
  const isVerified =
    mayAdopt && step.verify !== undefined
      ? (await verifyProblem(attempted, around)) === undefined
      : undefined;
  const isSameBoot = claim.kind === "started" && claim.identity.boot === currentBoot();
  return { wasStarted, exitStatus, isSameBoot, outputs, isVerified };
}
