import { CAPABILITIES } from "../../capabilities/list.ts";
import { resolve } from "node:path";
import { CheckpointError, EXIT_STATUS } from "../../core/errors.ts";
import { actorOf } from "../../work/project/actor.ts";
import { findConfigured } from "../../work/project/find-project.ts";
import { OpenStores } from "../../work/project/open-stores.ts";
import { withTypedStore } from "../../work/project/shared-store.ts";
import { thisMachine } from "../../work/machine/this-machine.ts";
import type { Project } from "../../work/project/project.ts";
import type { GlobalOptions } from "../../work/terminal/command.ts";
import type { Context, UnsavedEvent } from "../../work/terminal/context.ts";
import { Output, type Streams } from "../../work/terminal/output.ts";
import { takeEvent } from "./read-event.ts";
import { showPaged } from "./show-paged.ts";
import { isTerminal, isUtf8, terminalColumns, tidyUp, watchedTerminal, writeFully } from "./terminal.ts";

/** The command's own process: nothing outside this file and terminal.ts knows that there is one. */
export function typedWords(): readonly string[] {
  return process.argv.slice(2);
}

export function isDebugging(): boolean {
  return Boolean(process.env["CHECKPOINT_DEBUG"]);
}

/** Ends at once, so that no leaked handle delays the shell prompt: all output is written when it is printed. */
export function end(status: number): never {
  process.exit(status);
}

const streams: Streams = {
  out: (text) => print(1, text),
  err: (text) => print(2, text),
  get isOutTerminal() {
    return isTerminal(1);
  },
  page: (text) => {
    if (text.split("\n").length <= (process.stdout.rows ?? 0)) return false;
    // Ctrl-C is the pager's, and nothing is left to do when it ends.
    process.off("SIGINT", interrupt);
    process.on("SIGINT", () => {});
    return showPaged(text, process.env);
  },
  get isErrTerminal() {
    return isTerminal(2);
  },
  get columns() {
    return isTerminal(1) ? terminalColumns() : undefined;
  },
  get isUtf8() {
    return isUtf8(process.env);
  },
};

/** A failed write does not say where it went, so a full disk is explained here. */
function print(descriptor: number, text: string | Uint8Array): void {
  try {
    writeFully(descriptor, text);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ENOSPC") throw cause;
    throw new CheckpointError("failed", "The output cannot be written: the disk is full.", {
      hint: "Free some disk space, then look again: checkpoint status",
      details: { errno: "ENOSPC" },
      cause,
    });
  }
}

export function outputFor(
  command: string,
  { json, quiet, noColor }: Pick<GlobalOptions, "json" | "quiet" | "noColor">,
): Output {
  return new Output(streams, {
    command,
    json,
    quiet,
    isOutColoured: !noColor && isColoured(() => streams.isOutTerminal),
    isErrColoured: !noColor && isColoured(() => streams.isErrTerminal),
  });
}

/** As https://no-color.org and https://force-color.org say: an empty variable counts as none. */
function isColoured(isTerminal: () => boolean): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR) return false;
  if (FORCE_COLOR) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return TERM !== "dumb" && isTerminal();
}

export async function contextFor(
  {
    dir,
    noInput,
    agent,
    tier,
    store,
    insecure,
    acceptStore = false,
  }: GlobalOptions & { agent?: string | undefined; tier?: number | undefined; acceptStore?: boolean },
  output: Output,
  event?: UnsavedEvent,
): Promise<Context> {
  let project: Project | undefined;
  const cwd = dir === undefined ? process.cwd() : resolve(dir);
  const env =
    store === undefined && !insecure ? process.env : withTypedStore(process.env, { store, insecure });
  const warnings: string[] = [];
  const place = await findConfigured(cwd, env, (warning) => warnings.push(warning)).then(
    (found) => () => found,
    (error: unknown) => () => {
      throw error;
    },
  );
  const context: Context = {
    cwd,
    env,
    now: () => new Date(),
    stores: new OpenStores(),
    machine: thisMachine,
    /** A folder that is refused is reported when it is needed: some commands need none. */
    get project() {
      const { now, stores, machine } = context;
      if (project === undefined && !acceptStore) for (const warning of warnings) output.warning(warning);
      project ??= {
        ...place(),
        actor: actorOf(env, {
          agent,
          tier,
          isAtTerminal: () => isTerminal(0) && isTerminal(2),
          parentPid: () => process.ppid,
        }),
        env,
        now,
        machine,
        stores,
        capabilities: CAPABILITIES,
        notices: output,
      };
      return project;
    },
    get isInteractive() {
      return !noInput && isTerminal(0) && isTerminal(2);
    },
    get parentPid() {
      return process.ppid;
    },
    get runtime() {
      const { node, sqlite = "unknown" } = process.versions;
      return { node, sqlite, executable: process.execPath };
    },
    readInput: readAll,
    readEvent: async (limitBytes, withinMs) => event ?? takeEvent(limitBytes, withinMs),
    streams: () => ({ input: process.stdin, output: process.stdout }),
    onSignal: hearSignals,
    onInterrupt: (stop) => {
      stopOnInterrupt = stop;
      process.on("SIGTERM", interrupt);
    },
    terminal: watchedTerminal(interrupt),
  };
  return context;
}

/** Waits without blocking, so that Ctrl-C works while input is typed or arrives slowly. */
async function readAll(): Promise<Uint8Array> {
  const { buffer } = await import("node:stream/consumers");
  return buffer(process.stdin);
}

let stopOnInterrupt: (() => string | void) | undefined;
/** What is said if a second Ctrl-C ends the command before it has stopped. */
let lastWords = "";

// Ctrl-C: a commit that is under way happens or does not, whole. What runs longer is asked to stop, once.
function interrupt(): void {
  const stop = stopOnInterrupt;
  stopOnInterrupt = undefined;
  if (stop !== undefined) {
    lastWords = stop() ?? "";
    return;
  }
  tidyUp();
  writeFully(2, `interrupted\n${lastWords}`);
  process.exit(EXIT_STATUS.interrupted);
}

const PASSED_ON = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

function hearSignals(hear: (signal: NodeJS.Signals) => void): () => void {
  // A terminal sends Ctrl-C to the command itself too, which must not get it twice.
  const pass = (signal: NodeJS.Signals) => {
    if (signal !== "SIGINT" || !isTerminal(0)) hear(signal);
  };
  process.off("SIGINT", interrupt);
  for (const signal of PASSED_ON) process.on(signal, pass);
  return () => {
    for (const signal of PASSED_ON) process.off(signal, pass);
    process.on("SIGINT", interrupt);
  };
}

process.on("SIGINT", interrupt);
