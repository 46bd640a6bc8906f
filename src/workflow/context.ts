import type { Environment } from "../capture/environment.ts";
import type { Machine } from "../capture/this-machine.ts";
import type { Cairn } from "../checkpoints/cairn.ts";
import type { Step } from "./definition/types.ts";
import type { Redactor } from "../redaction/redactor.ts";

/** What the gate is told of a step. */
export type GatedStep = Pick<Step, "id" | "action" | "risk" | "fingerprint">;

/** Everything the runner knows about the outside world. */
export interface WorkflowContext extends Pick<Machine, "pid" | "host" | "kill"> {
  readonly cairn: Cairn;
  /** The project's root: steps run here, and their outputs are below it. */
  readonly root: string;
  /** The project's `.cairn`: locks and attempt folders are below it. */
  readonly folder: string;
  /** What steps inherit. */
  readonly env: Environment;
  readonly now: () => Date;
  /** Asked before a step starts that names an action or a risk: why it may not, or undefined. */
  readonly gate?: ((step: GatedStep) => Promise<string | undefined>) | undefined;
  /** Takes secrets out of what steps print, by the project's own rules too; without one, by the general rules. */
  readonly redactor?: Redactor | undefined;
}
