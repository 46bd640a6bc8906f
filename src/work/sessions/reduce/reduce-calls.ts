import { MOST_FILES_TOUCHED, type RecentOutput, type WorkState } from "../../state/work-state.ts";
import { textOf } from "../../../core/text/untrusted.ts";
import { noteCheck } from "../activity/results.ts";
import type { ToolStep } from "../events/transcript-entry.ts";

const MOST_COMMANDS = 20;
const MOST_OUTPUTS = 10;
/** Output is kept for this many calls; that of older ones stays in earlier checkpoints. */
const MOST_PRINTED = 4;
const MOST_BACKGROUND = 50;
/** Two events in a row may report the same call. */
const MOST_SEEN = 16;

/** Files touched, commands run, failing checks, and the last outputs. A call that was seen before is skipped. */
export function reduceCalls(state: WorkState, at: string, calls: readonly ToolStep[]): void {
  const { session } = state;
  const seen = session?.calls_seen ?? [];
  const fresh = calls.filter(({ id }) => !seen.includes(id));
  for (const call of fresh) reduceCall(state, at, call);
  if (session && fresh.length > 0)
    session.calls_seen = [...seen, ...fresh.map(({ id }) => id)].slice(-MOST_SEEN);
}

function reduceCall(state: WorkState, at: string, call: ToolStep): void {
  if (call.ok !== false) touch(state, call.files);
  if (call.command !== undefined) {
    const command = { argv: argvOf(call.command), ok: call.ok, at };
    state.commands = [...state.commands, command].slice(-MOST_COMMANDS);
  }
  noteCheck(state, call);
  noteBackground(state, call);
  if (call.output === undefined) return;
  const outputs = [...state.recent_outputs, recentOutput(call, at)].slice(-MOST_OUTPUTS);
  const older = outputs.slice(0, -MOST_PRINTED).map(({ output: _printed, ...rest }) => rest);
  state.recent_outputs = [...older, ...outputs.slice(-MOST_PRINTED)];
}

/** The newest come last, each once. */
export function touch(state: WorkState, files: readonly string[]): void {
  const others = state.files_touched.filter((file) => !files.includes(file));
  state.files_touched = [...others, ...new Set(files)].slice(-MOST_FILES_TOUCHED);
}

/** The words of a command, if no shell is needed to split them; otherwise the shell with its line. */
function argvOf(command: string): string[] {
  return /^[\w@%+=:,./ -]+$/.test(command) ? command.trim().split(/ +/) : ["sh", "-c", command];
}

function noteBackground({ session }: WorkState, { background, command = "?" }: ToolStep): void {
  if (session === undefined || background === undefined) return;
  const others = (session.background ?? []).filter((each) => textOf(each, "id") !== background);
  const entry = { id: background, type: "shell", status: "running", what: command };
  session.background = [...others, entry].slice(-MOST_BACKGROUND);
}

function recentOutput({ id, tool, ok, command = "", output }: ToolStep, at: string): RecentOutput {
  return {
    type: tool,
    id,
    action: `${tool} ${command}`.slice(0, 300).toWellFormed(),
    success: ok !== false,
    timestamp: at,
    ...(output === undefined ? {} : { output }),
  };
}
