import type { Environment } from "../capture/environment.ts";

/** What a command knows of the world. It gets nothing from anywhere else. */
export interface Context {
  readonly cwd: string;
  readonly env: Environment;
  readonly now: () => Date;
  /** Whether a person is there who could answer a question. */
  readonly isInteractive: boolean;
  readonly runtime: Runtime;
  /** Reads all of stdin. */
  readonly readInput: () => Promise<Uint8Array>;
  /** Calls `stop` instead of ending at once when Ctrl-C is pressed; a second Ctrl-C ends at once in any case. */
  readonly onInterrupt: (stop: () => void) => void;
}

/** The program that runs the command. */
interface Runtime {
  readonly node: string;
  readonly sqlite: string;
  readonly executable: string;
  /** Undefined where the system has no such thing. */
  readonly userId: number | undefined;
}
