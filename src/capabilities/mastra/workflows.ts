import {
  createEmptyWorkflowSnapshot,
  getSnapshotMemoryInfo,
  matchesExpectedWorkflowStatus,
  mergeWorkflowStepResult,
  normalizePerPage,
  WorkflowsStorage,
} from "@mastra/core/storage";
import type { JsonObject } from "../../core/objects/json.ts";
import type { Store } from "../../core/store/contract.ts";
import { trailPart } from "../../work/sessions/session.ts";
import type { Cairn } from "../../work/state/cairn.ts";
import { MastraRuns, type RunFacts, type StoredRun } from "./runs.ts";

// By the methods' own names, so that what is published has the types of the Mastra that is installed.
type Given<Method extends keyof WorkflowsStorage> = WorkflowsStorage[Method] extends (
  given: infer G,
) => unknown
  ? NonNullable<G>
  : never;
type Snapshot = Given<"persistWorkflowSnapshot">["snapshot"];
type Address = Given<"loadWorkflowSnapshot">;
type Listing = Awaited<ReturnType<WorkflowsStorage["listWorkflowRuns"]>>;
type Run = Listing["runs"][number];
type StepResults = Awaited<ReturnType<WorkflowsStorage["updateWorkflowResults"]>>;

const RUNS = "mastra/";

/**
 * The `workflows` domain of a storage for Mastra, on an open Cairn store. Each run is a trail `mastra/<workflow>/<run>`: a
 * save stores what changed, survives a power cut, and is checked when it is read.
 *
 * @example
 * import { Mastra } from "@mastra/core";
 * import { MastraCompositeStore } from "@mastra/core/storage";
 * import { openCairn } from "cairn-checkpoint";
 * import { CairnWorkflows } from "cairn-checkpoint/mastra";
 *
 * const workflows = new CairnWorkflows(await openCairn());
 * const storage = new MastraCompositeStore({ id: "app", default: yours, domains: { workflows } });
 * const mastra = new Mastra({ storage, workflows: { publish } });
 */
export class CairnWorkflows extends WorkflowsStorage {
  readonly #store: Store;
  readonly #runs: MastraRuns;
  readonly #now: () => Date;

  constructor({ store }: Pick<Cairn, "store">, now: () => Date = () => new Date()) {
    super();
    this.#store = store;
    this.#runs = new MastraRuns(store);
    this.#now = now;
  }

  /** Steps that end at once, also in other processes, never overwrite each other's results. */
  override supportsConcurrentUpdates(): boolean {
    return true;
  }

  override async persistWorkflowSnapshot(given: Given<"persistWorkflowSnapshot">): Promise<void> {
    const { resourceId, snapshot, createdAt, updatedAt } = given;
    await this.#change(given, () => snapshot, {
      ...(createdAt && { created_at: createdAt.toISOString() }),
      ...(updatedAt && { updated_at: updatedAt.toISOString() }),
      ...(resourceId !== undefined && { resource_id: resourceId }),
    });
  }

  override async updateWorkflowResults(given: Given<"updateWorkflowResults">): Promise<StepResults> {
    let context: StepResults = {};
    await this.#change(given, (before) => {
      const snapshot = before ? snapshotOf(before) : createEmptyWorkflowSnapshot(given.runId);
      context = mergeWorkflowStepResult({ ...given, snapshot });
      return snapshot;
    });
    return context;
  }

  override async updateWorkflowState(given: Given<"updateWorkflowState">): Promise<Snapshot | undefined> {
    const { expectedStatus, ...state } = given.opts;
    let changed: Snapshot | undefined;
    await this.#change(given, (before) => {
      const snapshot = before && snapshotOf(before);
      const isExpected = snapshot && matchesExpectedWorkflowStatus(snapshot.status, expectedStatus);
      changed = isExpected ? { ...snapshot, ...state } : undefined;
      return changed;
    });
    return changed;
  }

  async #change(
    { workflowName, runId }: Address,
    change: (before: StoredRun | undefined) => Snapshot | undefined,
    facts: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const created = this.#now();
    await this.#runs.change(trailOf(workflowName, runId), created, (before) => {
      const snapshot = change(before);
      if (snapshot === undefined) return undefined;
      const threadId = getSnapshotMemoryInfo(snapshot)?.threadId;
      const now = created.toISOString();
      const run = {
        ...(before?.run ?? { workflow_name: workflowName, run_id: runId, created_at: now }),
        updated_at: now,
        ...facts,
        status: snapshot.status,
        ...(threadId !== undefined && { thread_id: threadId }),
      };
      // As Mastra's stores on databases do: dates become texts, and what is undefined is left out.
      return { run, snapshot: JSON.parse(JSON.stringify(snapshot)) as JsonObject };
    });
  }

  override async loadWorkflowSnapshot({ workflowName, runId }: Address): Promise<Snapshot | null> {
    const run = await this.#runs.load(trailOf(workflowName, runId));
    return run ? snapshotOf(run) : null;
  }

  override async listWorkflowRuns(given: Given<"listWorkflowRuns"> = {}): Promise<Listing> {
    const { workflowName, perPage, page } = given;
    if (page !== undefined && page < 0) throw new RangeError("page must be >= 0");
    const prefix = workflowName ? `${RUNS}${trailPart(workflowName)}/` : RUNS;
    const found = await this.#runs.find(prefix, (run) => fits(run, given));
    const size = normalizePerPage(perPage, Number.MAX_SAFE_INTEGER);
    const isPaged = perPage !== undefined && page !== undefined;
    const runs: Run[] = [];
    for (const { read } of isPaged ? found.slice(page * size, (page + 1) * size) : found)
      runs.push(runOf(await read()));
    return { runs, total: found.length };
  }

  override async getWorkflowRunById(given: Given<"getWorkflowRunById">): Promise<Run | null> {
    const { runId, workflowName } = given;
    const prefix = workflowName ? trailOf(workflowName, runId) : RUNS;
    const [newest] = await this.#runs.find(prefix, (run) => run.run_id === runId);
    return newest ? runOf(await newest.read()) : null;
  }

  /** Removes the run with its history. The next sweep gives the space back. */
  override async deleteWorkflowRunById({ workflowName, runId }: Address): Promise<void> {
    await this.#store.remove({ trails: [trailOf(workflowName, runId)] });
  }

  /** Removes all runs of Mastra's workflows, and nothing else that is in the store. */
  override async dangerouslyClearAll(): Promise<void> {
    const trails = await this.#store.trails({ prefix: RUNS });
    await this.#store.remove({ trails: trails.map(({ name }) => name) });
  }
}

const trailOf = (workflow: string, run: string) => `${RUNS}${trailPart(workflow)}/${trailPart(run)}`;
const snapshotOf = ({ snapshot }: StoredRun) => snapshot as unknown as Snapshot;

function runOf(stored: StoredRun): Run {
  const { workflow_name, run_id, created_at, updated_at, resource_id: resourceId } = stored.run;
  return {
    workflowName: workflow_name,
    runId: run_id,
    snapshot: snapshotOf(stored),
    createdAt: new Date(created_at),
    updatedAt: new Date(updated_at),
    ...(typeof resourceId === "string" && { resourceId }),
  };
}

function fits(run: RunFacts, wanted: Given<"listWorkflowRuns">): boolean {
  const { fromDate, toDate, resourceId, threadId, status } = wanted;
  const created = Date.parse(run.created_at);
  return (
    (!fromDate || created >= fromDate.getTime()) &&
    (!toDate || created <= toDate.getTime()) &&
    (!resourceId || run["resource_id"] === resourceId) &&
    (!threadId || run["thread_id"] === threadId) &&
    (!status || run.status === status)
  );
}
