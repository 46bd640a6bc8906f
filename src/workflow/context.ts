import type { Environment } from "../capture/environment.ts";
import type { Cairn } from "../checkpoints/cairn.ts";

/** What the runner knows of the world: all of it is handed in. */
export interface WorkflowContext {
  readonly cairn: Cairn;
  /** The project's root: steps run here, and their outputs are below it. */
  readonly root: string;
  /** The project's `.cairn`: locks and the folders of attempts are below it. */
  readonly folder: string;
  /** What steps inherit. */
  readonly env: Environment;
  readonly now: () => Date;
  readonly pid: number;
  readonly host: string;
  /** Sends a signal, as `process.kill` does: to a whole group when the id is negative. */
  readonly kill: (pid: number, signal: "SIGTERM" | "SIGKILL") => void;
}
