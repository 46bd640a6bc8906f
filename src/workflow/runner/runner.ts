import type { Step } from "../definition/types.ts";
import type { WorkflowContext } from "../context.ts";
import { attemptFolder } from "../engine/attempt-folder.ts";
import type { Engine, RunningAttempt, StepStart } from "../engine/engine.ts";
import type { ProcessIdentity } from "../engine/process-identity.ts";
import type { OnEvent } from "../run/events.ts";
import { advance, settleAndAdvance, type Advance } from "../run/advance.ts";
import { registeredDigest } from "../run/approval.ts";
import { eventsBetween } from "../run/events-between.ts";
import { progressOf } from "../run/progress.ts";
import { isOver, stateOf, type Run } from "../run/run-state.ts";
import { settle, type Outcome } from "../run/settle.ts";
import { briefing } from "./briefing.ts";
import { applyAnswer, notSaved, recordEnd, resultsOf } from "./bookkeeping.ts";
import { Inbox } from "./inbox.ts";
import { notesOn } from "./notes.ts";
import { Questions, type OnApproval } from "./questions.ts";
import { runFolder } from "./run-folder.ts";
import type { RunJournal } from "./run-journal.ts";

export interface RunnerOptions {
  readonly engine: Engine;
  readonly onEvent?: OnEvent;
  readonly onApproval?: OnApproval | undefined;
  /** Pauses the run: what runs is ended, and the run can be resumed. */
  readonly signal?: AbortSignal;
  /** Stays and waits for decisions from elsewhere, instead of ending with `awaiting_approval`. */
  readonly waitForApproval?: boolean;
}

/** How often the run is looked at for decisions that came from another terminal. */
const LOOK_MS = 250;

/** Moves one run, until it is over or has to wait for a person. One object for one epoch of the run. */
export class Runner {
  readonly #context: WorkflowContext;
  readonly #journal: RunJournal;
  readonly #options: RunnerOptions;
  readonly #inbox = new Inbox<Outcome>();
  readonly #running = new Map<string, RunningAttempt>();
  readonly #prepared = new Set<string>();
  readonly #questions: Questions;

  constructor(context: WorkflowContext, journal: RunJournal, options: RunnerOptions) {
    this.#context = context;
    this.#journal = journal;
    this.#options = options;
    this.#questions = new Questions(context, options.onApproval, () => this.#inbox.wake());
  }

  get #runFolder(): string {
    return runFolder(this.#context, this.#journal.run.id);
  }

  /** Goes on watching what a former runner started. */
  reattach(step: Step, attempt: number, identity: ProcessIdentity): void {
    this.#watch(this.#options.engine.attach(this.#startOf(step, attempt), identity), true);
  }

  /** Puts what is known of a former runner's attempts into the next commit. */
  learn(outcomes: readonly Outcome[]): void {
    for (const outcome of outcomes) this.#inbox.put(outcome);
  }

  /** Tells what the first commit of a run brought about. */
  announce(before: Run): void {
    this.#tell(before);
  }

  /** Starts what a commit that was made elsewhere has marked as running. */
  async launch(starts: Advance["starts"]): Promise<void> {
    for (const { step, attempt } of starts) {
      const start = this.#startOf(step, attempt);
      const handoff =
        step.agent === undefined ? undefined : await briefing(this.#context, this.#journal, step);
      this.#watch(this.#options.engine.start(handoff === undefined ? start : { ...start, handoff }), false);
    }
  }

  /** Runs until nothing can go on by itself. Rejects when a result could not be saved: then nothing further starts. */
  async drive(prepare: (run: Run) => Run = (run) => run): Promise<Run> {
    let change = prepare;
    for (;;) {
      const plan = await this.#step(change);
      change = (run) => run;
      await this.launch(plan.starts);
      this.#questions.ask(this.#journal.run);
      await this.#journal.prune();
      const { status } = this.#journal.run;
      if (isOver(status)) {
        await this.#stopAll();
        return this.end();
      }
      const isWaiting = this.#running.size > 0 || plan.wakeAt !== undefined || this.#inbox.size > 0;
      const mayWait =
        status === "awaiting_approval" &&
        (this.#options.waitForApproval === true || this.#questions.open > 0);
      if (!isWaiting && !mayWait && this.#questions.answered === 0) return this.end();
      if (this.#options.signal?.aborted) return this.#pause();
      this.#prepareNext();
      await this.#wait(plan.wakeAt);
      if (this.#options.signal?.aborted) return this.#pause();
    }
  }

  /** One commit: everything that has happened, and marks for everything that follows from it. */
  async #step(change: (run: Run) => Run): Promise<Advance> {
    const outcomes = this.#inbox.take();
    const answers = this.#questions.take();
    const before = this.#journal.run;
    let plan: Advance | undefined;
    try {
      await this.#journal.commit(
        (run) => {
          plan = undefined;
          // Somebody has cancelled it meanwhile: nothing is to follow from anything any more.
          if (isOver(run.status)) return run;
          const answered = answers.reduce(
            (current, { step, decision }) => applyAnswer(current, step, decision),
            change(run),
          );
          plan = settleAndAdvance(answered, outcomes, {
            now: this.#context.now(),
            digestOf: registeredDigest,
          });
          return recordEnd(plan.run, outcomes, this.#context);
        },
        (run) => notesOn(before, run),
      );
    } catch (error) {
      throw notSaved(error, outcomes);
    }
    this.#tell(before);
    return plan ?? { run: this.#journal.run, starts: [], asks: [] };
  }

  #startOf(step: Step, attempt: number): StepStart {
    const { run } = this.#journal;
    const folder = attemptFolder(this.#runFolder, step.id, attempt);
    return { step, attempt, run, folder, results: () => resultsOf(run) };
  }

  #watch(attempt: RunningAttempt, reattached: boolean): void {
    const { step } = attempt;
    this.#running.set(step.id, attempt);
    const { output } = attemptFolder(this.#runFolder, step.id, attempt.attempt);
    this.#options.onEvent?.({
      type: "step-started",
      run: this.#journal.run.id,
      step: step.id,
      attempt: attempt.attempt,
      reattached,
      output,
    });
    void this.#await(attempt);
  }

  /** While commands run, the files are made of those that wait for nothing else. */
  #prepareNext(): void {
    const { run } = this.#journal;
    const isRunning = (id: string) => this.#running.has(id);
    const next = run.definition.filter(
      (step) =>
        step.kind === "command" &&
        stateOf(run, step.id).attempt === 0 &&
        step.needs.some(isRunning) &&
        !this.#prepared.has(step.id),
    );
    for (const { id } of next.slice(0, run.jobs)) {
      if (this.#inbox.size > 0) return;
      this.#options.engine.prepare(attemptFolder(this.#runFolder, id, 1));
      this.#prepared.add(id);
    }
  }

  async #await(attempt: RunningAttempt): Promise<void> {
    const outcome = await attempt.outcome;
    this.#running.delete(attempt.step.id);
    this.#inbox.put(outcome);
  }

  /** Waits for something to do: an outcome, an answer, the time of a retry, or a change by somebody else. */
  async #wait(wakeAt: number | undefined): Promise<void> {
    const { signal } = this.#options;
    const { open } = this.#questions;
    for (;;) {
      const untilRetry = wakeAt === undefined ? LOOK_MS : Math.max(0, wakeAt - this.#context.now().getTime());
      await this.#inbox.wait(Math.min(LOOK_MS, untilRetry), signal);
      const isDue = wakeAt !== undefined && this.#context.now().getTime() >= wakeAt;
      this.#questions.throwIfFailed();
      const isAnswered = this.#questions.open !== open;
      if (this.#inbox.size > 0 || isAnswered || isDue || signal?.aborted) return;
      const before = this.#journal.run;
      if (!(await this.#journal.reload())) continue;
      this.#tell(before);
      return;
    }
  }

  #tell(before: Run): void {
    for (const event of eventsBetween(before, this.#journal.run)) this.#options.onEvent?.(event);
  }

  async #stopAll(): Promise<void> {
    for (const attempt of this.#running.values()) attempt.stop();
    await Promise.all([...this.#running.values()].map((attempt) => attempt.outcome));
  }

  async #pause(): Promise<Run> {
    await this.#stopAll();
    const outcomes = this.#inbox.take();
    const before = this.#journal.run;
    const paused = (run: Run): Run => {
      const settled = settle(run, outcomes, this.#context.now());
      const { run: next } = advance(settled, {
        now: this.#context.now(),
        digestOf: registeredDigest,
        draining: true,
      });
      return next.status === "running" || next.status === "awaiting_approval"
        ? { ...next, status: "paused", reason: "Somebody pressed Ctrl-C." }
        : next;
    };
    await this.#journal.commit(paused, (run) => notesOn(before, run));
    this.#tell(before);
    return this.end();
  }

  /** Leaves the run as it is, tidied up. */
  async end(): Promise<Run> {
    const { run } = this.#journal;
    // A run that is only waiting is tidied up later: a transaction more would be felt at every resume.
    await this.#journal.prune({ now: isOver(run.status) || run.status === "failed" });
    const { completed, total } = progressOf(run);
    this.#options.onEvent?.({
      type: "run-ended",
      run: run.id,
      status: run.status,
      reason: run.reason ?? null,
      completed,
      total,
    });
    return run;
  }
}
