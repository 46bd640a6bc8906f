import { resolve } from "node:path";
import { CheckpointError, EXIT_STATUS } from "../errors.ts";
import type { Context } from "./context.ts";
import { LOADERS, type Run } from "./loaders.ts";
import { Output, type OutputOptions, type Streams } from "./output.ts";
import { findCommand, parseOptions } from "./parse.ts";
import type { CommandName } from "./table.ts";
import { isTerminal, terminalColumns, writeFully } from "./terminal.ts";

// The command's beginning and end: the only code that knows the process. Everything below gets what it needs
// passed in. It ends by process.exit, so that no forgotten handle can hold a prompt back.
void main(process.argv.slice(2));

async function main(words: readonly string[]): Promise<void> {
  // What was typed may not even parse; an error must still come in the form that was asked for.
  let output = outputFor("error", { json: words.includes("--json"), quiet: false, noColor: words.includes("--no-color") });
  let status: number;
  try {
    const found = findCommand(words);
    if (found === undefined) status = await withoutCommand(words, output);
    else {
      const options = parseOptions(found.name, found.rest);
      output = outputFor(found.name, options);
      status = await run(found.name, options, output);
    }
  } catch (error) {
    const { reportError } = await import("./report-error.ts");
    status = reportError(error, output, { streams, env: process.env });
  }
  process.exit(status);
}

async function run(name: CommandName, options: Record<string, unknown>, output: Output): Promise<number> {
  if (options["help"]) {
    const { commandHelp } = await import("./help.ts");
    output.raw(commandHelp(name, output.style));
    return 0;
  }
  const command = (await LOADERS[name]()) as Run<never>;
  return (await command(contextFor(options), options as never, output)) ?? 0;
}

async function withoutCommand(words: readonly string[], output: Output): Promise<number> {
  if (words.includes("--version") || words.includes("-V")) {
    const { version } = await import("./version.ts");
    output.result({ version }, version);
    return 0;
  }
  const unknown = words.find((word) => word.startsWith("-") && !["-h", "--help", "--json", "--no-color", "--quiet", "-q"].includes(word));
  if (unknown !== undefined) {
    throw new CheckpointError("usage", `checkpoint has no option "${unknown}".`, { hint: "checkpoint help" });
  }
  const { overview } = await import("./help.ts");
  output.raw(overview(output.style));
  return 0;
}

const streams: Streams = {
  out: (text) => writeFully(1, text),
  err: (text) => writeFully(2, text),
  get isOutTerminal() {
    return isTerminal(1);
  },
  get isErrTerminal() {
    return isTerminal(2);
  },
  get columns() {
    return isTerminal(1) ? terminalColumns() : undefined;
  },
};

function outputFor(command: string, options: Record<string, unknown>): Output {
  const { json, quiet, noColor } = options as unknown as Pick<OutputOptions, "json" | "quiet"> & { noColor: boolean };
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

function contextFor(options: Record<string, unknown>): Context {
  const { dir, noInput } = options as { dir?: string; noInput: boolean };
  return {
    cwd: dir === undefined ? process.cwd() : resolve(dir),
    env: process.env,
    now: () => new Date(),
    isInteractive: !noInput && isTerminal(0) && isTerminal(2),
    readInput: async () => process.getBuiltinModule("node:fs").readFileSync(0),
    onInterrupt: (stop) => {
      stopOnInterrupt = stop;
    },
  };
}

let stopOnInterrupt: (() => void) | undefined;

// Ctrl-C: a commit that is under way happens or does not, whole. What runs longer is asked to stop, once.
process.on("SIGINT", () => {
  const stop = stopOnInterrupt;
  stopOnInterrupt = undefined;
  if (stop !== undefined) return stop();
  writeFully(2, "interrupted\n");
  process.exit(EXIT_STATUS.interrupted);
});
