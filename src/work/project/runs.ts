import type { CheckpointInfo } from "../../core/trails/document.ts";
import type { ImportRecord } from "../../core/trails/import-record.ts";
import type { Imported } from "../import/read-import.ts";
import type { Cairn } from "../state/cairn.ts";
import type { RunStatus } from "../state/run-trail.ts";
import type { FoundArtifacts } from "./maintenance/imported-artifacts.ts";
import type { Project } from "./project.ts";

/** What the project asks about the runs of workflows. One capability provides it; where none does, no run is shown. */
export interface Runs {
  /** Runs that wait for somebody, the one that moved last first. */
  waiting(project: Project, cairn: Cairn): Promise<readonly WaitingRun[]>;
  /** Runs that are not over, the one that moved last first. Damaged ones are among them. */
  unfinished(project: Project): Promise<readonly UnfinishedRun[]>;
  /** The newest runs by their ids, the one that moved last first. */
  ids(cairn: Cairn): Promise<string[]>;
  /** The steps of a run, by its id or the beginning of it. */
  steps(cairn: Cairn, run: string): Promise<string[]>;
  /** Makes a run of the pipeline that a file describes; undefined if it describes none that could be one. */
  importPipeline(project: Project, found: FoundPipeline): Promise<MadeRun | undefined>;
}

/** `interrupted`: its status is running, but its runner died. `corrupt`: its state cannot be read. */
export type ShownRunStatus = RunStatus | "interrupted" | "corrupt";

/** A run that waits for somebody, and what to type. */
export interface WaitingRun {
  readonly trail: string;
  readonly status: ShownRunStatus;
  readonly completed: number;
  readonly total: number;
  readonly command: string;
  readonly why: string;
}

/** A run that is not over, and what to type. */
export interface UnfinishedRun {
  readonly id: string;
  readonly status: ShownRunStatus;
  readonly completed: number;
  readonly total: number;
  /** Steps that run, or would run next. */
  readonly next: readonly string[];
  readonly updated_at: string;
  readonly command: string;
}

/** A file of another tool, the artifacts that it names, and what is recorded of it. */
export interface FoundPipeline {
  readonly imported: Imported;
  readonly artifacts: FoundArtifacts;
  readonly record: ImportRecord;
}

/** The run that was made of a file. */
export interface MadeRun {
  readonly checkpoint: CheckpointInfo;
  readonly run: string;
  readonly isComplete: boolean;
}
