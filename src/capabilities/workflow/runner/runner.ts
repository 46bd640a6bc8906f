import type { Step, Workflow } from "../definition/types.ts";
import type { WorkflowContext } from "../context.ts";
import { attemptFolder } from "../engine/attempt-folder.ts";
import type { Engine, RunningAttempt, StepStart } from "../engine/engine.ts";
import { localEngine } from "../engine/local-engine.ts";
import type { StepSurroundings } from "../engine/step-environment.ts";
import type { OnEvent } from "../run/events.ts";
import { advance, type RunAdvance } from "../run/advance.ts";
import { registeredDigest } from "../run/approval.ts";
import { endingOf, eventsBetween, openingOf } from "../run/events-between.ts";
import { stepsWith, type Run } from "../run/run-state.ts";
import { awaitingSignal } from "../run/signals.ts";
import { isOver } from "../../../work/state/run-trail.ts";
import { ended, settle, type AttemptOutcome } from "../run/settle.ts";
import { thinArchives } from "./archive.ts";
import { briefing } from "./briefing.ts";
import { applyAnswer, notSaved, recordEnd, resultsOf, sortNews, type RunNews } from "./bookkeeping.ts";
import { Inbox } from "./inbox.ts";
import { notesOn } from "./notes.ts";
import { pausedAs } from "./pause-run.ts";
import { askProgram, type OnApproval } from "./questions.ts";
import type { RecoveredAttempts } from "./recover-attempts.ts";
import { runFolder } from "./run-folder.ts";
import type { RunJournal } from "./run-journal.ts";
import { whyNotStarted } from "./step-permits.ts";
import { waitForNews } from "./wait-for-news.ts";

/** What one runner works with, besides what its caller may choose. */
export interface RunnerParts {
  readonly context: WorkflowContext & StepSurroundings;
  readonly journal: RunJournal;
  /** The code of steps in TypeScript. */
  readonly functions: Workflow["functions"] | undefined;
}

export interface RunnerOptions {
  readonly onEvent?: OnEvent;
  readonly onApproval?: OnApproval | undefined;
  /** Pauses the run: running steps are ended, and the run can be resumed. */
  readonly signal?: AbortSignal;
  /** Waits for decisions from elsewhere, instead of ending with `awaiting_approval`. */
  readonly waitForApproval?: boolean;
}

const AS_IT_IS = (run: Run): Run => run;

/** Runs a run until it is over or has to wait for a person. One object for one epoch of the run. */
export class Runner {
  readonly #context: RunnerParts["context"];
  readonly #journal: RunJournal;
  readonly #engine: Engine;
  readonly #options: RunnerOptions;
  readonly #inbox = new Inbox<RunNews>();
  readonly #running = new Map<string, RunningAttempt>();
  /** Questions that the program was asked, each once, and how many of them it has not answered yet. */
  readonly #asked = new Set<string>();
  #unanswered = 0;

  constructor({ context, journal, functions }: RunnerParts, options: RunnerOptions) {
    this.#context = context;
    this.#journal = journal;
    const engine = localEngine(context, functions);
    this.#engine = context.aroundEngine?.(engine) ?? engine;
    this.#options = options;
  }

  /** Takes on what a previous runner started: outcomes go into the next commit, and what is alive is watched. */
  adopt({ outcomes, alive }: RecoveredAttempts): void {
    for (const outcome of outcomes) this.#inbox.put({ outcome });
    for (const { step, attempt, identity } of alive) {
      const start = this.#startOf(step, attempt);
      this.#watch(this.#engine.attach(start, identity), { output: start.folder.output, reattached: true });
    }
  }

  announce(type: "run-started" | "run-resumed", run: Run): void {
    this.#options.onEvent?.(openingOf(type, run));
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
      const refused = await whyNotStarted(step, this.#context);
      if (refused !== undefined) {
        this.#inbox.put({ outcome: ended("failed", { step, attempt }, refused) });
        continue;
      }
      await this.#context.beforeStep?.(step.id);
      const start = this.#startOf(step, attempt);
      const handoff =
        step.agent === undefined ? undefined : await briefing(this.#context, this.#journal.head, step);
      this.#watch(this.#engine.start({ ...start, handoff }), {
        output: start.folder.output,
        reattached: false,
      });
    }
  }

  /** Runs until nothing more can happen by itself. Rejects when a result could not be saved: then nothing further starts. */
  async drive(prepare: (run: Run) => Run = AS_IT_IS): Promise<Run> {
    let change = prepare;
    for (;;) {
      const plan = await this.#step(change);
      if (plan === "paused") return this.#pause();
      change = AS_IT_IS;
      await this.#launch(plan.starts);
      this.#ask();
      await this.#journal.prune();
      const { status } = this.#journal.run;
      if (isOver(status)) {
        await this.#stopAll();
        return this.end();
      }
      if (!this.#mayWait(plan)) return this.end();
      if (this.#options.signal?.aborted) return this.#pause();
      await this.#wait(plan.wakeAt);
      if (this.#options.signal?.aborted) return this.#pause();
    }
  }

  /** Whether something is still to come: an outcome, the time of a retry, a signal, or an answer. */
  #mayWait({ wakeAt }: RunAdvance): boolean {
    const { run } = this.#journal;
    const waitsForAnswer = this.#options.waitForApproval === true || this.#unanswered > 0;
    if (this.#running.size > 0 || wakeAt !== undefined || this.#inbox.size > 0) return true;
    return awaitingSignal(run).length > 0 || (run.status === "awaiting_approval" && waitsForAnswer);
  }

  #advance(run: Run, outcomes: readonly AttemptOutcome[], options: { draining?: boolean } = {}): RunAdvance {
    const now = this.#context.now();
    return advance(settle(run, outcomes, now), { now, digestOf: registeredDigest, ...options });
  }

  /** One commit: everything that has happened, and marks for everything that follows from it. */
  async #step(change: (run: Run) => Run): Promise<RunAdvance | "paused"> {
    const { outcomes, answers } = sortNews(this.#inbox.take());
    const before = this.#journal.run;
    let plan: RunAdvance | undefined;
    try {
      await this.#journal.commit(
        (run) => {
          plan = undefined;
          // It was cancelled in the meantime: nothing more may follow.
          if (isOver(run.status)) return run;
          // By another process: what has just ended is put into the run when the steps have been stopped.
          if (change === AS_IT_IS && run.status === "paused") return run;
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
    const { run } = this.#journal;
    if (plan === undefined && run.status === "paused") {
      for (const outcome of outcomes) this.#inbox.put({ outcome });
      return "paused";
    }
    return plan ?? { run, starts: [] };
  }

  #startOf(step: Step, attempt: number): StepStart {
    const { run } = this.#journal;
    const folder = attemptFolder(runFolder(this.#context, run.id), step.id, attempt);
    return { step, attempt, run, folder, results: () => resultsOf(run) };
  }

  #watch(started: RunningAttempt, about: { readonly output: string; readonly reattached: boolean }): void {
    const { step, attempt } = started;
    this.#running.set(step.id, started);
    const { id: run } = this.#journal.run;
    this.#options.onEvent?.({ type: "step-started", run, step: step.id, attempt, ...about });
    void this.#await(started);
  }

  async #await({ step, outcome }: RunningAttempt): Promise<void> {
    const ended = await outcome;
    this.#running.delete(step.id);
    this.#inbox.put({ outcome: ended });
  }

  /** Asks the program what is open. */
  #ask(): void {
    const { onApproval } = this.#options;
    const { run } = this.#journal;
    if (onApproval === undefined) return;
    for (const step of stepsWith(run, "awaiting_approval").filter(({ id }) => !this.#asked.has(id))) {
      this.#asked.add(step.id);
      this.#unanswered++;
      void this.#askOne(run, step, onApproval);
    }
  }

  async #askOne(run: Run, step: Step, onApproval: OnApproval): Promise<void> {
    const answer = await askProgram(this.#context, run, step, onApproval);
    this.#unanswered--;
    this.#inbox.put(answer);
  }

  async #wait(wakeAt: number | undefined): Promise<void> {
    const before = this.#journal.run;
    const parts = { context: this.#context, inbox: this.#inbox, journal: this.#journal };
    if (await waitForNews({ ...parts, signal: this.#options.signal, wakeAt })) this.#tell(before);
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
    const { outcomes } = sortNews(this.#inbox.take());
    const before = this.#journal.run;
    const paused = (run: Run): Run => pausedAs(run, this.#advance(run, outcomes, { draining: true }).run);
    await this.#journal.commit(paused, (run) => notesOn(before, run));
    this.#tell(before);
    return this.end();
  }

  /** Ends this runner's work on the run: prunes, and reports how it ended. */
  async end(): Promise<Run> {
    const { run } = this.#journal;
    // A run that is only waiting is pruned later: one more transaction would slow down every resume.
    await this.#journal.prune({ now: isOver(run.status) || run.status === "failed" });
    this.#options.onEvent?.(endingOf(run));
    if (run.status === "completed") await thinArchives(this.#context, run.workflow);
    return run;
  }
}
