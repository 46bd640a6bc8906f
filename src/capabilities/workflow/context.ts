import type { Environment } from "../../work/machine/environment.ts";
import type { Machine } from "../../work/machine/this-machine.ts";
import type { Cairn } from "../../work/state/cairn.ts";
import type { GatedStep, StepPermit } from "../../work/project/gate.ts";
import type { StoredTrail } from "../../core/store/contract.ts";
import type { Redactor } from "../../core/redaction/redactor.ts";
import type { Engine } from "./engine/engine.ts";

/** The right to drive one epoch of a run. */
export interface RunLease {
  /** A second call does nothing. */
  release(): Promise<void>;
}

/** Decides which runner drives a run. Advisory: what really refuses a late runner is the epoch in every commit. */
export interface RunLeases {
  /** The lease of one epoch of a run; undefined while another runner holds it. */
  take(run: string, epoch: number): Promise<RunLease | undefined>;
  isHeld(run: string, epoch: number): Promise<boolean>;
}

/** Everything the runner knows about the outside world. */
export interface WorkflowContext extends Pick<Machine, "pid" | "host" | "kill"> {
  readonly cairn: Cairn;
  /** The project's root: steps run here, and their outputs are below it. */
  readonly root: string;
  /** The project's `.cairn`: locks and attempt folders are below it. */
  readonly folder: string;
  /** What steps inherit. */
  readonly env: Environment;
  /** Who acts, as additions are signed: recorded with the runs that it starts. */
  readonly actor?: string | undefined;
  readonly now: () => Date;
  /**
   * Asked before a step starts that names an action, a risk or a secret; and for a step that another runner started, whose
   * secrets this one needs to keep them out of what it records. Absent where nobody governs.
   */
  readonly gate?:
    | ((step: GatedStep, options?: { readonly hasStarted?: boolean }) => Promise<StepPermit>)
    | undefined;
  /** Keeps the project's files before a step changes them. Never fails the step. */
  readonly beforeStep?: ((step: string) => Promise<void>) | undefined;
  /** Takes secrets out of what steps print, by the project's own rules too; without one, by the general rules. */
  readonly redactor?: Redactor | undefined;
  /** Which runner drives a run; locks in `folder` unless given. */
  readonly leases?: RunLeases | undefined;
  /**
   * The trails of the runs that are not over, where a store keeps so many others that these must not be looked for among all;
   * most recently changed first, at most a thousand.
   */
  readonly unfinishedTrails?: (() => Promise<readonly StoredTrail[]>) | undefined;
  /** Archived runs are removed in the background, by age and number, and not when a run ends. */
  readonly isThinnedElsewhere?: boolean | undefined;
  /** Stands between the runner and the engine that starts its steps; absent, nothing does. */
  readonly aroundEngine?: ((engine: Engine) => Engine) | undefined;
}
