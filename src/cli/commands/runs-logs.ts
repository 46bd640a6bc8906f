import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { CheckpointError } from "../../errors.ts";
import { followRun } from "../../project/runs/follow-run.ts";
import { openRuns } from "../../project/runs/open-runs.ts";
import * as verbs from "../../project/runs/run-logs.ts";
import { oneLine, visible } from "../../text/visible.ts";
import { stepOf } from "../../workflow/run/run-state.ts";
import type { CommandOf, CommandOptions } from "../command.ts";
import type { Context } from "../context.ts";
import type { Output } from "../output.ts";
import { words } from "../../text/words.ts";

export const runsLogs: CommandOf<"runs logs"> = async (context, options, output) => {
  if (options.follow) return follow(context, options, output);
  const result = await verbs.runLogs(context.project, options);
  if (result.logs.length === 0)
    output.message(`The steps of ${oneLine(result.run)} have printed nothing yet.`);
  if (output.json) {
    const logs = result.logs.map((log) => ({ ...log, text: readFileSync(log.path, "utf8") }));
    return output.result({ ...result, logs }, "");
  }
  for (const log of result.logs) {
    if (options.step === undefined) output.raw(`${heading(log, output)}\n`);
    print(readFileSync(log.path), output);
  }
};

const heading = ({ step, attempt, status, exit_status }: verbs.StepLog, { style }: Output) => {
  const how = exit_status === null ? words(status) : `${words(status)}, status ${exit_status}`;
  return style.bold(`==> ${oneLine(step)}, attempt ${attempt} (${how}) <==`);
};

/** As it is for a file or a pipe. On a terminal nothing in it may move the cursor. */
function print(bytes: Uint8Array, output: Output): void {
  if (bytes.length === 0) return;
  if (output.columns === undefined) return output.raw(bytes);
  const text = visible(Buffer.from(bytes).toString("utf8"));
  output.raw(text.endsWith("\n") ? text : `${text}\n`);
}

/** Prints what is there, and then what comes, until no runner moves the run any more. */
async function follow(context: Context, options: CommandOptions<"runs logs">, output: Output): Promise<void> {
  if (output.json) throw notAsJson();
  const { run: id } = await verbs.runLogs(context.project, { run: options.run });
  const decoders = new Map<string, StringDecoder>();
  const workflows = await openRuns(context.project, "read");
  const seen = new Map<string, number>();
  let last = "";
  const look = (run: Parameters<typeof verbs.logsOf>[1]) => {
    if (options.step !== undefined && stepOf(run, options.step) === undefined)
      verbs.logsOf(workflows, run, options);
    for (const log of logsNow(workflows, run, options)) {
      for (;;) {
        const bytes = readFrom(log.path, seen.get(log.path) ?? 0);
        if (bytes.length === 0) break;
        if (options.step === undefined && log.path !== last)
          output.raw(`${output.style.bold(`==> ${oneLine(log.step)}, attempt ${log.attempt} <==`)}\n`);
        last = log.path;
        seen.set(log.path, (seen.get(log.path) ?? 0) + bytes.length);
        if (output.columns === undefined) output.raw(bytes);
        else {
          // A chunk may end within a character.
          const decoder = decoders.get(log.path) ?? new StringDecoder("utf8");
          decoders.set(log.path, decoder);
          output.raw(visible(decoder.write(bytes)));
        }
      }
    }
  };
  for await (const run of followRun(workflows, id, look)) look(run);
}

/** A step that has not started yet, or printed nothing, is waited for. */
function logsNow(...[workflows, run, options]: Parameters<typeof verbs.logsOf>): verbs.StepLog[] {
  try {
    return verbs.logsOf(workflows, run, options);
  } catch (error) {
    if ((error as CheckpointError).code === "not-found") return [];
    throw error;
  }
}

const CHUNK_BYTES = 1024 * 1024;

function readFrom(path: string, position: number): Buffer {
  const file = openSync(path, "r");
  try {
    const buffer = Buffer.alloc(CHUNK_BYTES);
    return buffer.subarray(0, readSync(file, buffer, 0, CHUNK_BYTES, position));
  } finally {
    closeSync(file);
  }
}

function notAsJson(): CheckpointError {
  return new CheckpointError(
    "usage",
    "--follow prints output as it arrives, so it cannot be combined with --json.",
    {
      hint: "For events of a run as JSON: checkpoint runs watch RUN --json",
    },
  );
}
