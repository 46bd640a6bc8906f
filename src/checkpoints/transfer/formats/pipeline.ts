import type { WorkState } from "../../work-state.ts";

/** What a state file of another tool says. */
export interface ForeignWork {
  readonly parts: Partial<WorkState>;
  /** If it describes a pipeline that has a name. */
  readonly pipeline?: ForeignPipeline;
}

/** A pipeline of another tool. Its file says which steps are done and which are to come, not what they run. */
export interface ForeignPipeline {
  readonly id: string;
  /** What its steps are called there. */
  readonly unit: "agent" | "phase";
  /** One after the other. */
  readonly steps: readonly PipelineStep[];
  readonly artifacts: readonly { readonly path: string; readonly step: string }[];
  readonly artifactsAre: "beside the file" | "in the project";
  readonly updated_at: string;
  /** What went wrong last. */
  readonly problem: string | null;
}

export interface PipelineStep {
  readonly name: string;
  readonly state: "done" | "under way" | "to come";
  /** When that was so. */
  readonly at: string;
}

/** What is still to come, if the pipeline is the one that is known. */
export function remainingOf(named: readonly string[], all: readonly string[]): string[] {
  return named.every((name) => all.includes(name)) ? all.filter((name) => !named.includes(name)) : [];
}
