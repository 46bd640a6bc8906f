import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";

import { messageOf } from "../../core/errors.ts";
import type { WorkflowContext } from "../workflow/context.ts";
import { MAX_FILE_BYTES } from "./blobs.ts";
import { claimJob } from "./claim-job.ts";
import { findDue, findUnwatched, renew } from "./claims.ts";
import type { Cluster } from "./cluster.ts";
import { DEFAULT_QUEUE, type TakenJob } from "./dispatcher.ts";
import { jobText } from "./job.ts";
import { moveRun, type MoveOptions } from "./move-run.ts";
import { CommitWorkflows } from "./commit-workflows.ts";
import { Pause } from "./pause.ts";
import { repeat } from "./repeat.ts";
import { reportPatiently } from "./report-patiently.ts";
import { runAttempt } from "./run-attempt.ts";
import { stopUnwanted, type RunningJob } from "./running-job.ts";
import { upkeepOf } from "./upkeep.ts";
import { openWorkerFolder, workerFolder } from "./worker-folder.ts";
import type { WorkerOptions } from "./worker-options.ts";
import { signOff, signOn, renewWorkerRow, type WorkerRow } from "./worker-row.ts";

const DEFAULT_SLOTS = 4;
const DEFAULT_LEASE_MS = 30_000;
/** How often it looks into the queue when that was empty and nobody gave a hint. */
const POLL_MS = 1000;
/** How often it looks for what nobody takes care of, and whether what it runs is still wanted. */
const LOOK_MS = 1000;
/** A worker that could not renew for this part of the lease stops its steps: soon others may start them. */
const GIVE_UP = 0.9;

/** Takes steps from queues and runs them, until it is told to drain. See docs/many-machines.md. */
export class Worker {
  readonly id = randomUUID();
  readonly #context: WorkflowContext;
  /** The same with a folder of its own. */
  readonly #here: WorkflowContext;
  readonly #definitions: CommitWorkflows;
  readonly #cluster: Cluster;
  readonly #options: WorkerOptions;
  readonly #slots: number;
  readonly #leaseMs: number;
  readonly #running = new Map<string, RunningJob>();
  readonly #ended = new AbortController();
  #renewedAt = performance.now();
  #note: string | null = null;
  /** Whether the queue may hold steps of others: then what follows a step goes into the queue behind them. */
  #isAnyoneWaiting = true;
  readonly #pause = new Pause();

  constructor(context: WorkflowContext, cluster: Cluster, options: WorkerOptions) {
    this.#context = context;
    this.#here = { ...context, folder: workerFolder(context, this.id) };
    this.#definitions = new CommitWorkflows(this.#here);
    this.#cluster = cluster;
    this.#options = options;
    this.#slots = options.slots ?? DEFAULT_SLOTS;
    this.#leaseMs = options.leaseMs ?? DEFAULT_LEASE_MS;
  }

  async run(): Promise<void> {
    // Without its tables, or the queue's, it could never take a step: that is told at once.
    await this.#cluster.dispatcher();
    await signOn(this.#database, this.#row);
    const folder = await openWorkerFolder(this.#context, this.id);
    try {
      this.#options.onReady?.();
      await this.#work();
    } finally {
      await this.#definitions.close();
      await folder.remove();
    }
    await signOff(this.#database, this.id);
  }

  async #work(): Promise<void> {
    const { drain } = this.#options;
    const leaseMs = this.#leaseMs;
    const onError = (error: unknown) => this.#say(messageOf(error));
    const every = (pauseMs: number, work: () => Promise<void>) =>
      repeat(work, { pauseMs, signal: this.#ended.signal, onError });
    const upkeep = upkeepOf(this.#context, this.#cluster, { worker: this.id, options: this.#options });
    const loops = [
      every(leaseMs / 3, () => this.#renew()),
      every(leaseMs / 10, async () => this.#giveUpIfCutOff()),
      every(Math.min(LOOK_MS, leaseMs / 5), () => this.#look()),
      every(leaseMs, () => this.#recheck()),
      ...upkeep.map(({ everyMs, work }) => every(everyMs, work)),
    ];
    const wake = () => this.#pause.end();
    drain.addEventListener("abort", wake, { once: true });
    const stopListening = this.#cluster.hints.listen((hint) => this.#queues.includes(hint) && wake());
    while (!drain.aborted || this.#running.size > 0) {
      if (!drain.aborted) await this.#take();
      // Until a slot is free, a step was queued, or it is time to look again.
      await this.#pause.last(POLL_MS);
    }
    stopListening();
    this.#ended.abort();
    await Promise.all(loops);
  }

  get #queues(): readonly string[] {
    return this.#options.queues ?? [DEFAULT_QUEUE];
  }

  get #database() {
    return this.#cluster.database;
  }

  /** Takes as many jobs as there are free slots. What fails is tried again after a pause: the server may be down. */
  async #take(): Promise<void> {
    try {
      const dispatcher = await this.#cluster.dispatcher();
      let isAnyoneWaiting = false;
      for (const queue of this.#queues) {
        const free = this.#slots - this.#running.size;
        const jobs = free <= 0 ? [] : await dispatcher.take(queue, free);
        isAnyoneWaiting ||= jobs.length >= free;
        for (const job of jobs) {
          // A queue that forgot that it was taken must not make it start twice.
          if (this.#running.has(job.id)) continue;
          this.#begin(job);
        }
      }
      this.#isAnyoneWaiting = isAnyoneWaiting;
    } catch (error) {
      this.#say(`The queue cannot be read: ${messageOf(error)}`);
      await wait(POLL_MS);
    }
  }

  /** Does a step, and those that follow it as long as nothing else waits. */
  async #do(running: RunningJob): Promise<void> {
    const { job } = running;
    let next: TakenJob | undefined;
    try {
      next = await this.#attempt(running);
    } catch (error) {
      // The job stays taken, and its claim expires: then any worker goes on from what the store says.
      this.#say(`${jobText(job)}: ${messageOf(error)}`);
    } finally {
      this.#running.delete(job.id);
      if (next !== undefined) this.#begin(next);
      this.#pause.end();
    }
  }

  #begin(job: TakenJob): void {
    const running = { job, stop: new AbortController(), head: "" };
    this.#running.set(job.id, running);
    void this.#do(running);
  }

  async #attempt(running: RunningJob): Promise<TakenJob | undefined> {
    const { job, stop } = running;
    const claimed = await claimJob(this.#context, this.#cluster, running, {
      by: this.#claimant,
      trust: { ...this.#options, definitions: this.#definitions },
      onRefusal: (refusal) => {
        this.#say(`Not run here: ${refusal}.`);
        this.#note = refusal;
      },
    });
    if (claimed === undefined) return undefined;
    const { head, checked } = claimed;
    this.#say(`${jobText(job)} starts`);
    const outcome = await runAttempt(this.#here, this.#cluster, {
      job,
      head,
      checked,
      maxFileBytes: this.#options.maxFileBytes ?? MAX_FILE_BYTES,
      signal: stop.signal,
    });
    if (stop.signal.aborted) {
      this.#say(`${jobText(job)} was stopped: ${String(stop.signal.reason)}`);
      return undefined;
    }
    const isFree = !this.#isAnyoneWaiting && !this.#options.drain.aborted;
    const keeper = isFree ? { ...this.#claimant, queues: this.#queues } : undefined;
    const news = { job, worker: this.id, outcome, keeper };
    const { isHeard, next } = await reportPatiently(this.#context, this.#cluster, news);
    this.#say(`${jobText(job)} ${outcome.kind}${isHeard ? "" : ", too late"}`);
    return next;
  }

  get #row(): WorkerRow {
    const { pid, host } = this.#context;
    const known = { id: this.id, pid, host, queues: this.#queues, slots: this.#slots };
    return { ...known, running: this.#running.size, leaseMs: this.#leaseMs, note: this.#note };
  }

  get #claimant() {
    return { worker: this.id, leaseSeconds: this.#leaseMs / 1000 };
  }

  async #renew(): Promise<void> {
    const before = performance.now();
    const jobs = [...this.#running.values()].map(({ job }) => job);
    const kept = jobs.length === 0 ? [] : await renew(this.#database, jobs, this.#claimant);
    await renewWorkerRow(this.#database, this.#row);
    const own = new Set(kept.map(jobText));
    this.#renewedAt = before;
    for (const { job, head, stop } of this.#running.values())
      // One that has not loaded its run yet has not claimed it either.
      if (head !== "" && this.#started.has(job.id) && !own.has(jobText(job))) stop.abort("its claim is gone");
    this.#started = new Set(this.#running.keys());
  }

  /** Jobs that were running at the last renewal: a claim that is being made now is not missed. */
  #started: ReadonlySet<string> = new Set();

  #giveUpIfCutOff(): void {
    if (performance.now() - this.#renewedAt < this.#leaseMs * GIVE_UP) return;
    for (const { stop } of this.#running.values()) stop.abort("the store could not be reached for too long");
  }

  async #look(): Promise<void> {
    for (const run of await findDue(this.#database)) await this.#move(run);
    await stopUnwanted(this.#context, this.#cluster, [...this.#running.values()]);
  }

  /** Whatever the queue has lost is put back, because the store knows what should run. */
  async #recheck(): Promise<void> {
    const recheckSeconds = this.#leaseMs / 1000;
    while (!this.#ended.signal.aborted) {
      const runs = await findUnwatched(this.#database, recheckSeconds);
      if (runs.length === 0) return;
      for (const run of runs) await this.#move(run, { recheckSeconds });
    }
  }

  /** What it puts into the queue it can take at once. */
  async #move(run: string, options: MoveOptions = {}): Promise<void> {
    // One that is damaged must not keep the others from moving.
    await moveRun(this.#context, this.#cluster, run, options).catch((error: unknown) =>
      this.#say(`${run}: ${messageOf(error)}`),
    );
    this.#pause.end();
  }

  #say(note: string): void {
    this.#options.onNote?.(note);
  }
}
