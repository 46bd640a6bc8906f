import type { CommandLine } from "./source-words.ts";
import type { Json } from "../../../core/objects/json.ts";

/** What a step written in TypeScript is called with. */
export interface StepCall {
  readonly run_id: string;
  readonly step_id: string;
  /** 1 for the first try. */
  readonly attempt: number;
  readonly inputs: Readonly<Record<string, string>>;
  /** Results of the steps that are done, by step id. */
  readonly results: Readonly<Record<string, Json>>;
  /** The project's root: outputs are looked for below it. */
  readonly root: string;
  /** Aborted when the run is paused or the step has timed out. */
  readonly signal: AbortSignal;
}

/** A step in TypeScript. What it returns is its durable result: JSON, kept exactly. */
export type StepFunction = (call: StepCall) => unknown;

export interface InputSource {
  readonly required?: boolean;
  readonly default?: string | number | boolean;
  readonly about?: string;
  /** Never stored: asked for again at every resume. */
  readonly secret?: boolean;
}

interface ReviewSource {
  readonly reviewers: readonly string[];
  /** How many must approve; all of them unless given. */
  readonly quorum?: number;
  readonly run: CommandLine | StepFunction;
}

/** A step as people write it. */
export interface StepSource {
  readonly id: string;
  readonly about?: string;
  readonly phase?: string;
  readonly agent?: string;
  /** Without it, a step follows the one above; `[]` makes it independent. */
  readonly needs?: readonly string[];
  readonly if?: string;
  readonly run?: CommandLine | StepFunction;
  readonly approve?: string | { readonly question: string; readonly options?: readonly string[] };
  readonly review?: ReviewSource;
  /** The name of a signal to wait for; what it brings is the step's result. */
  readonly wait?: string;
  /** Another workflow file, beside this one. */
  readonly workflow?: string;
  /** Values of the nested workflow's inputs; those not named here are taken from this one's. */
  readonly with?: Readonly<Record<string, string | number | boolean>>;
  readonly outputs?: readonly string[];
  readonly verify?: CommandLine;
  readonly retry?: number | { readonly max: number; readonly backoff?: string };
  readonly timeout?: string;
  /** Which workers may run it, where a run has workers: those started for this queue. */
  readonly queue?: string;
  /** What the gate is asked for before it starts, where the project is governed. */
  readonly action?: string;
  readonly risk?: "low" | "high";
  readonly env?: Readonly<Record<string, string | number | boolean>>;
}

interface LimitSource {
  /** An input: the limit holds for each of its values. Without it, for the whole workflow. */
  readonly key?: string;
  /** Runs under way at the same time. */
  readonly at_once?: number;
  /** Runs that start within a time: `10/min`. */
  readonly per?: string;
}

/** What of a limit holds for one run. Plain JSON. */
export interface RunLimit {
  /** Runs with the same key share the limit. */
  readonly key: string;
  readonly at_once?: number;
  readonly starts?: number;
  readonly window_ms?: number;
}

/** A workflow as people write it, in YAML or with `defineWorkflow`. */
export interface WorkflowSource {
  readonly name: string;
  readonly about?: string;
  readonly inputs?: Readonly<Record<string, InputSource | null>>;
  /** How many steps may run at the same time. */
  readonly jobs?: number;
  /** How many runs workers may have under way, and how many they may start. Runs on one machine do not look at it. */
  readonly limit?: LimitSource;
  readonly env?: Readonly<Record<string, string | number | boolean>>;
  readonly steps: readonly StepSource[];
}

/** A condition, and the scope in which its names are looked up first. */
export interface StepCondition {
  readonly text: string;
  /** `council/` for the steps of a nested workflow `council`; empty at the top. */
  readonly scope: string;
}

/** A step that an engine can run: what `review` and `workflow` were expanded into. Plain JSON. */
export interface Step {
  readonly id: string;
  /** Imported: a step of another tool's pipeline. What it runs is not known until a workflow says so. */
  readonly kind: "command" | "function" | "approval" | "signal" | "join" | "imported";
  readonly needs: readonly string[];
  readonly about?: string;
  readonly phase?: string;
  readonly agent?: string;
  readonly conditions?: readonly StepCondition[];
  readonly run?: CommandLine;
  readonly question?: string;
  readonly options?: readonly string[];
  /** The name of the signal that it waits for. */
  readonly signal?: string;
  readonly outputs?: readonly string[];
  readonly verify?: CommandLine;
  /** How often a failed attempt is repeated. */
  readonly retries: number;
  readonly backoff_ms: number;
  readonly timeout_ms?: number;
  readonly queue?: string;
  readonly action?: string;
  readonly risk?: "low" | "high";
  readonly env?: Readonly<Record<string, string>>;
  /** Inputs of a nested workflow that differ from the run's. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** Where names in results are looked up first; see `StepCondition`. */
  readonly scope?: string;
  /** A join of a review: how many of its `needs` among `reviewers` must approve. */
  readonly review?: { readonly quorum: number; readonly reviewers: readonly string[] };
  /** A reviewer: one that fails has abstained, which does not fail the run. */
  readonly reviewer?: string;
  /** Identifies what the step does: changes when an edit could change its result. */
  readonly fingerprint: string;
}

/** An input as declared, with its defaults filled in. */
export interface WorkflowInput {
  readonly required: boolean;
  readonly secret: boolean;
  readonly default?: string;
  readonly about?: string;
}

/** A checked workflow. `functions` holds what cannot be stored: the code of steps in TypeScript. */
export interface Workflow {
  readonly name: string;
  readonly about?: string;
  /** The file it came from. */
  readonly file?: string;
  readonly inputs: Readonly<Record<string, WorkflowInput>>;
  readonly jobs?: number;
  readonly limit?: LimitSource;
  readonly steps: readonly Step[];
  readonly functions: ReadonlyMap<string, StepFunction>;
}
