import type { ChaosTest } from "./chaos-file.ts";
import type { BrokenInvariant } from "./invariants.ts";
import type { PlayedRun } from "./played-run.ts";
import type { ProjectCopy } from "./project-copies.ts";
import type { ChaosEvent, ChaosFault } from "./schedule.ts";

/** Plays one schedule in a copy of the project. */
export type PlaySchedule = (
  test: ChaosTest,
  schedule: readonly ChaosEvent[],
  copy: ProjectCopy,
) => Promise<PlayedRun>;

/** Where runs are played: in this process, or in processes of their own. */
export interface ChaosTier {
  readonly name: "in-process" | "processes";
  readonly play: PlaySchedule;
  /** Faults that this tier cannot make, or not on this machine, and why. */
  readonly cannot: ReadonlyMap<ChaosFault, string>;
}

/** An invariant that some schedule broke, and the smallest schedule that does. */
export interface ChaosFinding extends BrokenInvariant {
  /** The number of the first run that broke it, and how many did. */
  readonly first_run: number;
  readonly runs: number;
  readonly found: readonly string[];
  readonly smallest: readonly string[];
  readonly tries: number;
}

/** What a chaos test found. */
export interface ChaosReport {
  readonly file: string;
  readonly workflow: string;
  readonly tier: ChaosTier["name"];
  readonly seed: number;
  readonly runs: number;
  /** How often each fault struck. */
  readonly struck: Readonly<Record<string, number>>;
  /** Faults that were asked for and never struck, and why. */
  readonly not_tried: readonly { readonly fault: string; readonly reason: string }[];
  /** What is another one each time, even without faults, so that it was not compared. */
  readonly not_compared: readonly string[];
  readonly findings: readonly ChaosFinding[];
}
