import { foreignTime } from "../foreign-fields.ts";
import type { WorkState } from "../../state/work-state.ts";

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
  /** When the pipeline began; undefined if its file does not say so. */
  readonly started_at?: string;
  readonly updated_at: string;
  /** What a person has to choose before the step after this one may begin. */
  readonly question?: { readonly step: string; readonly text: string; readonly options: readonly string[] };
  /** What was asked for, in the user's words. */
  readonly request?: string;
  /** Why its file may not be what its tool meant to leave: each is a reason to ask before it is resumed. */
  readonly problems: readonly string[];
  /** What went wrong last. */
  readonly problem: string | null;
}

export interface PipelineStep {
  readonly name: string;
  readonly state: "done" | "under way" | "to come";
  /** When that was so. */
  readonly at: string;
}

/** Clocks of two machines differ a little. */
const CLOCK_SLACK_MS = 300_000;

/** A sentence if one of these times is after the import. */
export function futureTimes(times: readonly (string | null)[], now: string): string[] {
  const limit = Date.parse(now) + CLOCK_SLACK_MS;
  const late = times.find((time) => time !== null && foreignTime(time) > limit);
  return late === undefined ? [] : [`The time ${late} in it is in the future.`];
}
