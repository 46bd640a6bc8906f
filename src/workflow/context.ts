import type { Environment } from "../capture/environment.ts";
import type { Machine } from "../capture/this-machine.ts";
import type { Cairn } from "../checkpoints/cairn.ts";
import type { Redactor } from "../redaction/redactor.ts";

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
  /** Takes secrets out of what steps print, by the project's own rules too; without one, by the general rules. */
  readonly redactor?: Redactor | undefined;
}
