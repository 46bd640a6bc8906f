import type { Environment } from "../capture/environment.ts";
import type { Machine } from "../capture/this-machine.ts";
import type { Cairn } from "../checkpoints/cairn.ts";

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
}
