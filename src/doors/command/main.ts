import { CheckpointError } from "../../core/errors.ts";
import type { CommandFunction, GlobalOptions } from "../../work/terminal/command.ts";
import type { Context, UnsavedEvent } from "../../work/terminal/context.ts";
import type { Output } from "../../work/terminal/output.ts";
import { findCommand, parseOptions } from "./parse.ts";
import { contextFor, end, isDebugging, outputFor, typedWords } from "./process.ts";
import { plainCommand } from "./plain-command.ts";
import { specOf } from "./table.ts";
import { verbName } from "../../work/verbs/spec.ts";

/** The options that work without a command. */
const WITHOUT_COMMAND = ["--version", "-V", "--help", "-h", "--json", "--no-color", "--quiet", "-q"];

/** Runs what was typed. `event` is what a hook has read from stdin already. */
export async function main(event?: UnsavedEvent): Promise<void> {
  const words = typedWords();
  // The words may not even parse; the error must still come in the requested form.
  let output = outputFor("error", {
    json: words.includes("--json"),
    quiet: false,
    noColor: words.includes("--no-color"),
  });
  let status: number;
  try {
    const found = findCommand(words);
    if (found === undefined) status = await withoutCommand(words, output);
    else {
      const options = parseOptions(found.name, found.rest);
      output = outputFor(specOf(found.name).key, options);
      status = await run(found.name, await contextFor(options, output, event), { options, output });
    }
  } catch (error) {
    const { reportError } = await import("./report-error.ts");
    status = reportError(error, output, { isDebugging: isDebugging() });
    // A client may stop the agent when a hook fails. Where the gate fails, that is meant.
    if (words.includes("hook") && !words.includes("--gate")) status = 0;
  }
  end(status);
}

const LONG_LOG_BYTES = 256 * 1024;
const CLOSE_MS = 300;
const pause = (ms: number) => new Promise((over) => setTimeout(over, ms));

async function run(
  name: string,
  context: Context,
  { options, output }: { options: GlobalOptions; output: Output },
): Promise<number> {
  if (options.help) {
    const { showHelp } = await import("./commands/help.ts");
    showHelp(name, output);
    return 0;
  }
  const command = await loadCommand(name);
  try {
    return (await command(context, options, output)) ?? 0;
  } finally {
    // A hook comes with every tool call of an agent: it leaves the log to the next one, unless it has grown long.
    const closing = context.stores.close({ logBytes: name === "hook" ? LONG_LOG_BYTES : 0 });
    // Another process may hold the store, and the client waits for the answer of the gate. What was saved is durable.
    await ("gate" in options && options.gate ? Promise.race([closing, pause(CLOSE_MS)]) : closing);
  }
}

/** Loads a command's file when it is typed. A command is exported under its name: `task add` as `taskAdd`. */
export async function loadCommand(name: string): Promise<CommandFunction<object>> {
  const spec = specOf(name);
  if (spec.show !== undefined) return plainCommand(spec);
  const file = await spec.load(spec.file ?? spec.key.replace(/ .*/, ""));
  return (file as Record<string, CommandFunction<object>>)[verbName(spec.key)] as CommandFunction<object>;
}

async function withoutCommand(words: readonly string[], output: Output): Promise<number> {
  if (words.includes("--version") || words.includes("-V")) {
    const { version } = await import("./version.ts");
    if (output.json) output.document("version", { version });
    else output.raw(`${version}\n`);
    return 0;
  }
  const unknown = words.find((word) => word.startsWith("-") && !WITHOUT_COMMAND.includes(word));
  if (unknown !== undefined) {
    throw new CheckpointError("usage", `checkpoint has no option "${unknown}".`, {
      hint: "checkpoint help",
      details: { typed: unknown, known: WITHOUT_COMMAND },
    });
  }
  const options = parseOptions(
    "help",
    words.filter((word) => word !== "--help" && word !== "-h"),
  );
  return run("help", await contextFor(options, output), { options, output });
}
