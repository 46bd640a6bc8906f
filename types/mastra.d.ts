// The parts of @mastra/core that the storage of workflows is made of, so that nothing has to be installed to build it. What is
// published refers to the user's own package; `npm run test:peers` compiles both against the real one.
declare module "@mastra/core/storage" {
  interface Snapshot {
    runId: string;
    status: string;
    context: Record<string, unknown>;
    [part: string]: unknown;
  }
  interface Address {
    readonly workflowName: string;
    readonly runId: string;
  }
  interface Run extends Address {
    readonly snapshot: Snapshot;
    readonly createdAt: Date;
    readonly updatedAt: Date;
    readonly resourceId?: string;
  }
  interface Listing {
    readonly workflowName?: string;
    readonly fromDate?: Date;
    readonly toDate?: Date;
    readonly perPage?: number | false;
    readonly page?: number;
    readonly resourceId?: string;
    readonly threadId?: string;
    readonly status?: string;
  }
  interface StepUpdate extends Address {
    readonly stepId: string;
    readonly result: unknown;
    readonly requestContext: Record<string, unknown>;
  }
  interface StateUpdate extends Address {
    readonly opts: { readonly status: string; readonly expectedStatus?: string | string[] };
  }
  interface Persist extends Address {
    readonly snapshot: Snapshot;
    readonly resourceId?: string;
    readonly createdAt?: Date;
    readonly updatedAt?: Date;
  }
  export abstract class WorkflowsStorage {
    dangerouslyClearAll(): Promise<void>;
    supportsConcurrentUpdates(): boolean;
    updateWorkflowResults(update: StepUpdate): Promise<Record<string, unknown>>;
    updateWorkflowState(update: StateUpdate): Promise<Snapshot | undefined>;
    persistWorkflowSnapshot(persist: Persist): Promise<void>;
    loadWorkflowSnapshot(address: Address): Promise<Snapshot | null>;
    listWorkflowRuns(listing?: Listing): Promise<{ runs: Run[]; total: number }>;
    getWorkflowRunById(address: { runId: string; workflowName?: string }): Promise<Run | null>;
    deleteWorkflowRunById(address: Address): Promise<void>;
  }
  export function createEmptyWorkflowSnapshot(runId: string): Snapshot;
  export function getSnapshotMemoryInfo(snapshot: Snapshot): { threadId?: string } | undefined;
  export function matchesExpectedWorkflowStatus(
    status: string | undefined,
    expected?: string | string[],
  ): boolean;
  export function mergeWorkflowStepResult(step: {
    snapshot: Snapshot;
    stepId: string;
    result: unknown;
    requestContext: Record<string, unknown>;
  }): Record<string, unknown>;
  export function normalizePerPage(perPage: number | false | undefined, otherwise: number): number;
}
