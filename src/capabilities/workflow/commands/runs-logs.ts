import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { CheckpointError } from "../../../core/errors.ts";
import { followRun } from "../verbs/follow-run.ts";
import { openRuns } from "../verbs/open-runs.ts";
import * as verbs from "../verbs/run-logs.ts";
import { elsewhereOf } from "../elsewhere.ts";
import { readRun } from "../runner/examine-run.ts";
import { followTails } from "../terminal/follow-tails.ts";
import { oneLine, visible } from "../../../core/text/visible.ts";
import type { Run } from "../run/run-state.ts";
import { stepNamed } from "../runner/fork-run.ts";
import type { WorkflowCommand, WorkflowOptions } from "../verbs.ts";
import type { Context } from "../../../work/terminal/context.ts";
import type { Output } from "../../../work/terminal/output.ts";
import { words } from "../../../work/state/words.ts";

export const runsLogs: WorkflowCommand<"runs logs"> = async (context, options, output) => {
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
async function follow(
  context: Context,
  options: WorkflowOptions<"runs logs">,
  output: Output,
): Promise<void> {
  if (output.json) throw notAsJson();
  const { run: id } = await verbs.runLogs(context.project, { run: options.run });
  const workflows = await openRuns(context.project, "read");
  const run = await readRun(workflows, id);
  // A step that is not there would be waited for in vain.
  const step = options.step === undefined ? undefined : stepNamed(run, options.step);
  const workers = run.runs_on === "workers" ? await elsewhereOf(context.project) : undefined;
  if (workers !== undefined)
    return followTails(
      followRun(context.project, workflows, id),
      { workers, id, step, attempt: options.attempt },
      output,
    );
  const files = new Map<string, FollowedFile>();
  let last = "";
  const look = (run: Run) => {
    for (const { path, step, attempt } of logsNow(workflows, run, options)) {
      const file = files.get(path) ?? new FollowedFile(path);
      files.set(path, file);
      for (const bytes of file.news()) {
        if (options.step === undefined && path !== last)
          output.raw(`${output.style.bold(`==> ${oneLine(step)}, attempt ${attempt} <==`)}\n`);
        last = path;
        output.raw(output.columns === undefined ? bytes : visible(file.asText(bytes)));
      }
    }
  };
  for await (const state of followRun(context.project, workflows, id, look)) look(state);
}

/** A file that grows, read from where the last look ended. */
class FollowedFile {
  readonly #path: string;
  // A chunk may end within a character.
  readonly #decoder = new StringDecoder("utf8");
  #position = 0;

  constructor(path: string) {
    this.#path = path;
  }

  asText(bytes: Uint8Array): string {
    return this.#decoder.write(bytes);
  }

  *news(): Generator<Buffer> {
    for (;;) {
      const bytes = readFrom(this.#path, this.#position);
      if (bytes.length === 0) return;
      this.#position += bytes.length;
      yield bytes;
    }
  }
}

/** A step that has not started yet, or printed nothing, is waited for. */
function logsNow(...[workflows, run, options]: Parameters<typeof verbs.logsOf>): verbs.StepLog[] {
  try {
    // An attempt may end, and the next one begin, between two looks.
    return verbs.logsOf(workflows, run, options, { everyAttempt: true });
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
    { hint: "For events of a run as JSON: checkpoint runs watch RUN --json" },
  );
}
