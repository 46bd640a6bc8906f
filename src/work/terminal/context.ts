import type { Readable, Writable } from "node:stream";
import type { Environment } from "../machine/environment.ts";
import type { Machine } from "../machine/this-machine.ts";
import type { Project, Stores } from "../project/project.ts";

/** What a command knows of the world. It gets nothing from anywhere else. */
export interface Context {
  readonly cwd: string;
  readonly env: Environment;
  readonly now: () => Date;
  /** All stores that the command opens; they are closed when it ends. */
  readonly stores: Stores;
  readonly machine: Machine;
  /** The project that the command works in, and who works. Found when it is first asked for, which may be refused. */
  readonly project: Project;
  /** Whether a person is there who could answer a question. */
  readonly isInteractive: boolean;
  readonly terminal: Terminal;
  /** The process that started this one. */
  readonly parentPid: number;
  readonly runtime: Runtime;
  /** Reads all of stdin. */
  readonly readInput: () => Promise<Uint8Array>;
  /** Reads one JSON document from stdin, whether or not that ends then. Of what is longer only a little more is kept, and what comes later is not waited for. */
  readonly readEvent: (limitBytes: number, withinMs?: number) => Promise<UnsavedEvent>;
  /** stdin and stdout as streams, for a program that talks to another one as long as both live. */
  readonly streams: () => { readonly input: Readable; readonly output: Writable };
  /** Hears every signal that would end this process, until the function that it returns is called: for what has to pass them on. */
  readonly onSignal: (hear: (signal: NodeJS.Signals) => void) => () => void;
  /** Calls `stop` instead of ending at once at Ctrl-C or SIGTERM; a second one ends at once in any case. */
  readonly onInterrupt: (stop: () => string | void) => void;
}

/** An event that was read, and its random name. */
export interface UnsavedEvent {
  readonly id: string;
  readonly bytes: Uint8Array;
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
}
