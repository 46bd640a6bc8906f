import type { Checkpoint } from "../../core/trails/document.ts";
import { insteadOf } from "../../core/errors.ts";
import type { WorkflowContext } from "../workflow/context.ts";
import type { RunDocument } from "../workflow/run/run-state.ts";
import { checkStep, type CheckedStep, type TrustOptions } from "./checked-step.ts";
import { claim, type ClaimOptions, unclaim } from "./claims.ts";
import type { Cluster } from "./cluster.ts";
import type { CommitWorkflows } from "./commit-workflows.ts";
import { isCurrent, type RunningJob } from "./running-job.ts";

/** A step that this worker may not run is offered again after this long. */
const REFUSED_SECONDS = 5;
/** A run that changes faster than this is busy enough. */
const MAX_CLAIMS = 10;

interface Claimant {
  readonly by: ClaimOptions;
  readonly trust: TrustOptions & { readonly definitions: CommitWorkflows };
  readonly onRefusal: (refusal: string) => void;
}

/** A step to run, and the run as it is. */
interface ClaimedJob {
  readonly head: Checkpoint<RunDocument>;
  readonly checked: Exclude<CheckedStep, { refusal: string }>;
}

/** The step of a job, claimed; or undefined: then the job is finished, or left to others. */
export async function claimJob(
  context: WorkflowContext,
  { database, runs, ...cluster }: Cluster,
  running: RunningJob,
  { by, trust, onRefusal }: Claimant,
): Promise<ClaimedJob | undefined> {
  const { job } = running;
  const giveUp = async (afterSeconds?: number) => {
    if (job.isKept) await unclaim(database, job, by);
    const dispatcher = await cluster.dispatcher();
    if (afterSeconds === undefined) await dispatcher.finish(job);
    else await dispatcher.release(job, { afterSeconds });
    return undefined;
  };
  let checked: CheckedStep | undefined;
  for (let tries = 1; tries <= MAX_CLAIMS; tries++) {
    // The claim finds out if what is known is old.
    const known = tries === 1 ? runs.known(job.run) : undefined;
    const isKnown = known !== undefined && isCurrent(known.state.run, job);
    const load = () => runs.head(context, job.run).catch(insteadOf("not-found", undefined));
    const head = isKnown ? known : await load();
    if (head === undefined || !isCurrent(head.state.run, job)) return giveUp();
    running.head = head.content_hash;
    checked ??= await checkStep(context, head.state.run, job.step, trust);
    if ("refusal" in checked) {
      onRefusal(checked.refusal);
      return giveUp(REFUSED_SECONDS);
    }
    const answer = job.isKept ? "claimed" : await claim(database, job, head.content_hash, by);
    if (answer === "claimed") return { head, checked };
    // Another worker has claimed it: either that one reports, or its claim expires.
    if (answer === "taken") return giveUp();
  }
  return giveUp(0);
}
