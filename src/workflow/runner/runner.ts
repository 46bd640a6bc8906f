import type { Step } from "../definition/types.ts";
import type { WorkflowContext } from "../context.ts";
import { attemptFolder } from "../engine/attempt-folder.ts";
import type { Engine, RunningAttempt, StepStart } from "../engine/engine.ts";
import type { OnEvent } from "../run/events.ts";
import { advance, type RunAdvance } from "../run/advance.ts";
import { registeredDigest } from "../run/approval.ts";
import { eventsBetween } from "../run/events-between.ts";
import { progressOf } from "../run/progress.ts";
import { resumePlanOf } from "../run/resume-plan.ts";
import { isOver, stateOf, type Run } from "../run/run-state.ts";
import { settle, type AttemptOutcome } from "../run/settle.ts";
import { thinArchives } from "./archive.ts";
import { briefing } from "./briefing.ts";
import { applyAnswer, notSaved, recordEnd, resultsOf } from "./bookkeeping.ts";
import { Inbox } from "./inbox.ts";
import { notesOn } from "./notes.ts";
import { Questions, type OnApproval } from "./questions.ts";
import type { RecoveredAttempts } from "./recover-attempts.ts";
import { runFolder } from "./run-folder.ts";
import type { RunJournal } from "./run-journal.ts";

export interface RunnerOptions {
  readonly engine: Engine;
  readonly onEvent?: OnEvent;
  readonly onApproval?: OnApproval | undefined;
  /** Pauses the run: running steps are ended, and the run can be resumed. */
  readonly signal?: AbortSignal;
  /** Waits for decisions from elsewhere, instead of ending with `awaiting_approval`. */
  readonly waitForApproval?: boolean;
}

/** How often the runner looks for decisions from other terminals. */
const LOOK_MS = 250;

/** Runs a run until it is over or has to wait for a person. One object for one epoch of the run. */
export class Runner {
  readonly #context: WorkflowContext;
  readonly #journal: RunJournal;
  readonly #options: RunnerOptions;
  readonly #inbox = new Inbox<AttemptOutcome>();
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

  /** Takes on what a previous runner started: outcomes go into the next commit, and what is alive is watched. */
  adopt({ outcomes, alive }: RecoveredAttempts): void {
    for (const outcome of outcomes) this.#inbox.put(outcome);
    for (const { step, attempt, identity } of alive)
      this.#watch(this.#options.engine.attach(this.#startOf(step, attempt), identity), true);
  }

  announce(type: "run-started" | "run-resumed", run: Run): void {
    const { id, workflow, epoch, updated_at: last_activity } = run;
    const { completed, total, next } = progressOf(run);
    const { completed: done, original_request: request } = resumePlanOf(run);
    const where = { completed, total, request, done, next, last_activity };
    this.#options.onEvent?.({ type, run: id, workflow, epoch, ...where });
  }

  /** Commits a new run together with the marks of its first steps, and drives it. */
  async start(run: Run): Promise<Run> {
    const plan = this.#advance(run, []);
    await this.#journal.begin(plan.run, `${run.workflow}: started`);
    this.announce("run-started", run);
    this.#tell(run);
    await this.#launch(plan.starts);
    return this.drive();
  }

  /** Starts what the newest commit has marked as running. */
  async #launch(starts: RunAdvance["starts"]): Promise<void> {
    for (const { step, attempt } of starts) {
      const start = this.#startOf(step, attempt);
      const handoff =
        step.agent === undefined ? undefined : await briefing(this.#context, this.#journal, step);
      this.#watch(this.#options.engine.start(handoff === undefined ? start : { ...start, handoff }), false);
    }
  }

  /** Runs until nothing more can happen by itself. Rejects when a result could not be saved: then nothing further starts. */
  async drive(prepare: (run: Run) => Run = (run) => run): Promise<Run> {
    let change = prepare;
    for (;;) {
      const plan = await this.#step(change);
      change = (run) => run;
      await this.#launch(plan.starts);
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

  #advance(run: Run, outcomes: readonly AttemptOutcome[], options: { draining?: boolean } = {}): RunAdvance {
    const now = this.#context.now();
    return advance(settle(run, outcomes, now), { now, digestOf: registeredDigest, ...options });
  }

  /** One commit: everything that has happened, and marks for everything that follows from it. */
  async #step(change: (run: Run) => Run): Promise<RunAdvance> {
    const outcomes = this.#inbox.take();
    const answers = this.#questions.take();
    const before = this.#journal.run;
    let plan: RunAdvance | undefined;
    try {
      await this.#journal.commit(
        (run) => {
          plan = undefined;
          // It was cancelled in the meantime: nothing more may follow.
          if (isOver(run.status)) return run;
          const answered = answers.reduce(
            (current, { step, decision }) => applyAnswer(current, step, decision),
            change(run),
          );
          plan = this.#advance(answered, outcomes);
          return recordEnd(plan.run, outcomes, this.#context);
        },
        (run) => notesOn(before, run),
      );
    } catch (error) {
      throw notSaved(error, outcomes);
    }
    this.#tell(before);
    return plan ?? { run: this.#journal.run, starts: [] };
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

  /** While commands run, creates the files of the commands that follow them. */
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

  /** Waits for an outcome, an answer, the time of a retry, or a change by another process. */
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
      const { run: next } = this.#advance(run, outcomes, { draining: true });
      return next.status === "running" || next.status === "awaiting_approval"
        ? { ...next, status: "paused", reason: "Somebody pressed Ctrl-C." }
        : next;
    };
    await this.#journal.commit(paused, (run) => notesOn(before, run));
    this.#tell(before);
    return this.end();
  }

  /** Ends this runner's work on the run: prunes, and reports how it ended. */
  async end(): Promise<Run> {
    const { run } = this.#journal;
    // A run that is only waiting is pruned later: one more transaction would slow down every resume.
    await this.#journal.prune({ now: isOver(run.status) || run.status === "failed" });
    const { completed, total } = progressOf(run);
    const { id, status, reason = null } = run;
    this.#options.onEvent?.({ type: "run-ended", run: id, status, reason, completed, total });
    if (run.status === "completed") await thinArchives(this.#context, run.workflow);
    return run;
  }
}
