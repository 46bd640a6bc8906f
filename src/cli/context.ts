import type { Readable, Writable } from "node:stream";
import type { Environment } from "../capture/environment.ts";

/** What a command knows of the world. It gets nothing from anywhere else. */
export interface Context {
  readonly cwd: string;
  readonly env: Environment;
  readonly now: () => Date;
  /** Whether a person is there who could answer a question. */
  readonly isInteractive: boolean;
  readonly terminal: Terminal;
  /** The process that started this one. */
  readonly parentPid: number;
  readonly runtime: Runtime;
  /** Reads all of stdin. */
  readonly readInput: () => Promise<Uint8Array>;
  /** Reads one JSON document from stdin, whether or not that ends then. Of what is longer only a little more is kept. */
  readonly readEvent: (limitBytes: number) => Promise<Uint8Array>;
  /** stdin and stdout as streams, for a program that talks to another one as long as both live. */
  readonly streams: () => { readonly input: Readable; readonly output: Writable };
  /** Calls `stop` instead of ending at once at Ctrl-C or SIGTERM; a second one ends at once in any case. */
  readonly onInterrupt: (stop: () => void) => void;
  /** Sends a signal: to a whole group of processes when the id is negative. */
  readonly kill: (pid: number, signal: "SIGTERM" | "SIGKILL") => void;
}

/** The terminal that a person watches, on stderr, and types into. Only to be used where there is one. */
export interface Terminal {
  size(): { readonly columns: number; readonly rows: number };
  /** Hears every key until the function that it returns is called; the terminal itself shows nothing meanwhile. Ctrl-C works as ever. */
  readKeys(onKeys: (keys: string) => void): () => void;
  /** Calls `tidy` before the process ends, in whatever way; the function that it returns takes that back. */
  atEnd(tidy: () => void): () => void;
}

/** The program that runs the command. */
interface Runtime {
  readonly node: string;
  readonly sqlite: string;
  readonly executable: string;
  readonly pid: number;
  /** The name of this machine. */
  readonly host: string;
  /** The name that the system knows the user by; empty where it knows none. */
  readonly userName: string;
  /** Undefined where the system has no such thing. */
  readonly userId: number | undefined;
}
