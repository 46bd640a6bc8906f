import { dirname, join, resolve } from "node:path";

import { readGitHead } from "../../capture/git-head.ts";
import { CheckpointError, isCheckpointError } from "../../errors.ts";
import type { Json } from "../../objects/json.ts";
import type { Step } from "../definition/types.ts";
import type { WorkflowContext } from "../context.ts";
import { attemptFolder } from "../engine/attempt-folder.ts";
import type { Engine, RunningAttempt, StepStart } from "../engine/engine.ts";
import type { ProcessIdentity } from "../engine/process-identity.ts";
import type { OnEvent } from "../events.ts";
import { advance, type Advance } from "../run/advance.ts";
import { decide, registeredDigest } from "../run/approval.ts";
import { eventsBetween } from "../run/events-between.ts";
import { progressOf } from "../run/progress.ts";
import { isOver, stateOf, type Decision, type Run } from "../run/run-state.ts";
import { settle, type Outcome } from "../run/settle.ts";
import { archiveName } from "./run-id.ts";
import { briefing } from "./briefing.ts";
import { Inbox } from "./inbox.ts";
import { notesOn } from "./notes.ts";
import type { RunJournal } from "./run-journal.ts";

/** A question that a program may answer while the run goes on. */
export interface Question {
  readonly run: Run;
  readonly step: Step;
  readonly question: string;
  readonly options: readonly string[];
}

export interface RunnerOptions {
  readonly engine: Engine;
  readonly onEvent?: OnEvent;
  /** Answers a question, or leaves it open by returning undefined. */
  readonly onApproval?: (question: Question) => Promise<Decision | undefined>;
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
  readonly #asked = new Set<string>();
  #openAnswers = 0;
  readonly #answers: { step: Step; decision: Decision }[] = [];

  constructor(context: WorkflowContext, journal: RunJournal, options: RunnerOptions) {
    this.#context = context;
    this.#journal = journal;
    this.#options = options;
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
      this.#ask();
      await this.#journal.prune();
      const { status } = this.#journal.run;
      if (isOver(status)) {
        await this.#stopAll();
        return this.end();
      }
      const isWaiting = this.#running.size > 0 || plan.wakeAt !== undefined || this.#inbox.size > 0;
      const mayWait =
        status === "awaiting_approval" && (this.#options.waitForApproval === true || this.#openAnswers > 0);
      if (!isWaiting && !mayWait && this.#answers.length === 0) return this.end();
      if (this.#options.signal?.aborted) return this.#pause();
      await this.#wait(plan.wakeAt);
      if (this.#options.signal?.aborted) return this.#pause();
    }
  }

  /** One commit: everything that has happened, and marks for everything that follows from it. */
  async #step(change: (run: Run) => Run): Promise<Advance> {
    const outcomes = this.#inbox.take();
    const answers = this.#answers.splice(0);
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
          plan = advance(settle(answered, outcomes, this.#context.now()), {
            now: this.#context.now(),
            digestOf: registeredDigest,
          });
          return this.#finished(plan.run, outcomes);
        },
        (run) => notesOn(before, run),
      );
    } catch (error) {
      throw notSaved(error, outcomes);
    }
    this.#tell(before);
    return plan ?? { run: this.#journal.run, starts: [], asks: [] };
  }

  /** What is recorded once, at the moment when it becomes true. */
  #finished(run: Run, outcomes: readonly Outcome[]): Run {
    const head = outcomes.some(({ kind }) => kind === "completed")
      ? readGitHead(this.#context.root)?.head
      : undefined;
    const noted = head && head !== run.git_head ? { ...run, git_head: head } : run;
    if (noted.status !== "completed") return withReason(noted);
    return { ...noted, archived_as: archiveName(noted.id, this.#context.now()) };
  }

  #startOf(step: Step, attempt: number): StepStart {
    const { run } = this.#journal;
    const folder = attemptFolder(this.#runFolder, step.id, attempt);
    return { step, attempt, run, folder, results: resultsOf(run) };
  }

  #watch(attempt: RunningAttempt, reattached: boolean): void {
    const { step } = attempt;
    this.#running.set(step.id, attempt);
    const { stdout } = attemptFolder(this.#runFolder, step.id, attempt.attempt);
    this.#options.onEvent?.({
      type: "step-started",
      run: this.#journal.run.id,
      step: step.id,
      attempt: attempt.attempt,
      reattached,
      output: stdout,
    });
    void attempt.outcome.then((outcome) => {
      this.#running.delete(step.id);
      this.#inbox.put(outcome);
    });
  }

  #ask(): void {
    const { onApproval } = this.#options;
    const { run } = this.#journal;
    if (onApproval === undefined) return;
    for (const step of run.definition) {
      if (stateOf(run, step.id).status !== "awaiting_approval" || this.#asked.has(step.id)) continue;
      this.#asked.add(step.id);
      const question = { run, step, question: step.question ?? step.id, options: step.options ?? [] };
      this.#openAnswers++;
      void onApproval(question)
        .catch(() => undefined)
        .then((decision) => {
          this.#openAnswers--;
          if (decision) this.#answers.push({ step, decision });
          this.#inbox.wake();
        });
    }
  }

  /** Waits for something to do: an outcome, an answer, the time of a retry, or a change by somebody else. */
  async #wait(wakeAt: number | undefined): Promise<void> {
    const { signal } = this.#options;
    for (;;) {
      const untilRetry = wakeAt === undefined ? LOOK_MS : Math.max(0, wakeAt - this.#context.now().getTime());
      await this.#inbox.wait(Math.min(LOOK_MS, untilRetry), signal);
      const isDue = wakeAt !== undefined && this.#context.now().getTime() >= wakeAt;
      if (this.#inbox.size > 0 || this.#answers.length > 0 || isDue || signal?.aborted) return;
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
    await this.#journal.prune({ now: true });
    const { run } = this.#journal;
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

export const runFolder = ({ folder }: Pick<WorkflowContext, "folder">, id: string): string =>
  join(folder, "runs", id);

/** The folder of the workflow's file, where the scripts that belong to it usually are. */
export const workflowFolder = ({ root }: WorkflowContext, { file }: Pick<Run, "file">): string =>
  file === undefined ? root : dirname(resolve(root, file));

/** Results by step, for the steps that follow. */
export function resultsOf(run: Run): Record<string, Json> {
  const done = Object.entries(run.steps).filter(([, state]) => state.status === "completed");
  return Object.fromEntries(done.map(([id, state]) => [id, state.result ?? null]));
}

/** Somebody else may have decided meanwhile, or cancelled the run: then that stands. */
function applyAnswer(run: Run, step: Step, decision: Decision): Run {
  return stateOf(run, step.id).status === "awaiting_approval" ? decide(run, step, decision) : run;
}

/** A run that failed says why in one place. */
function withReason(run: Run): Run {
  if (run.status !== "failed" || run.reason !== undefined) return run;
  const failed = run.definition.find(
    (step) => stateOf(run, step.id).status === "failed" && step.reviewer === undefined,
  );
  const reason =
    failed && `Step "${failed.id}" failed: ${stateOf(run, failed.id).reason ?? "without a word"}`;
  return reason === undefined ? run : { ...run, reason };
}

function notSaved(error: unknown, outcomes: readonly Outcome[]): unknown {
  const finished = outcomes.filter(({ kind }) => kind === "completed").map(({ step }) => `"${step}"`);
  if (finished.length === 0 || isCheckpointError(error, "conflict")) return error;
  const code = isCheckpointError(error) ? error.code : "failed";
  const message = `The result of ${finished.join(", ")} could not be saved: ${error instanceof Error ? error.message : String(error)}`;
  return new CheckpointError(code, message, {
    hint: "Nothing further was started. Repair the cause, then: checkpoint resume",
    cause: error,
  });
}
