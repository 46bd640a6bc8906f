import { setTimeout as wait } from "node:timers/promises";

import { isCheckpointError } from "../../errors.ts";
import type { WorkflowContext } from "../context.ts";
import { advance } from "../run/advance.ts";
import { registeredDigest } from "../run/approval.ts";
import { stepsWith, type Run } from "../run/run-state.ts";
import { settle, type AttemptOutcome } from "../run/settle.ts";
import type { Cluster } from "./cluster.ts";
import { reportAndMove, type AttemptReport } from "./move-run.ts";
import { report } from "./mover-lease.ts";

/** How long an outcome that nothing follows from waits for others of its run. */
const TOGETHER_MS = 100;
const PAUSE_MS = 1000;
/** About ten minutes. */
const MAX_TRIES = 600;

/** Tells the store how attempts ended, and moves their runs: those that end together are committed together. */
export class Reporter {
  readonly #context: WorkflowContext;
  readonly #cluster: Cluster;
  readonly #move: (run: string) => Promise<void>;
  readonly #soon = new Map<string, Promise<void>>();

  /** `move` must not reject. */
  constructor(context: WorkflowContext, cluster: Cluster, move: (run: string) => Promise<void>) {
    this.#context = context;
    this.#cluster = cluster;
    this.#move = move;
  }

  /**
   * Whether the report was in time. What a step has done is worth waiting for: as long as nobody has given it up, its report
   * counts.
   */
  async report(news: AttemptReport): Promise<boolean> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#report(news);
      } catch (error) {
        if (tries >= MAX_TRIES || !isCheckpointError(error, "failed")) throw error;
        await wait(PAUSE_MS);
      }
    }
  }

  /** Resolves when all runs have been moved. */
  async end(): Promise<void> {
    await Promise.all(this.#soon.values());
  }

  async #report(news: AttemptReport): Promise<boolean> {
    const { job, outcome } = news;
    const run = this.#cluster.runs.known(job.run)?.state.run;
    if (run === undefined || !canWait(run, outcome, this.#context.now()))
      return reportAndMove(this.#context, this.#cluster, news);
    const { isHeard } = await report(this.#cluster.database, news);
    // If this process dies now, another finds the report.
    this.#moveSoon(job.run);
    await (await this.#cluster.dispatcher()).finish(job);
    return isHeard;
  }

  #moveSoon(run: string): void {
    if (this.#soon.has(run)) return;
    const moving = wait(TOGETHER_MS).then(() => {
      this.#soon.delete(run);
      return this.#move(run);
    });
    this.#soon.set(run, moving);
  }
}

/** Whether nothing follows from an outcome yet. */
function canWait(run: Run, outcome: AttemptOutcome, now: Date): boolean {
  if (outcome.kind !== "completed") return false;
  const plan = advance(settle(run, [outcome], now), { now, digestOf: registeredDigest });
  const questions = (of: Run) => stepsWith(of, "awaiting_approval").length;
  return (
    plan.starts.length === 0 &&
    stepsWith(plan.run, "running").length > 0 &&
    questions(plan.run) === questions(run)
  );
}
