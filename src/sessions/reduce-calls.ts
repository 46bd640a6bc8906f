import type { Json } from "../objects/json.ts";
import type { AgentSession, Command, Output, WorkState } from "../checkpoints/work-state.ts";
import { asRecord, textOf } from "../handoff/untrusted.ts";
import { checkResult, type CheckResult } from "./checks.ts";
import type { Call } from "./facts.ts";

const MOST_FILES = 500;
const MOST_COMMANDS = 30;
const MOST_OUTPUTS = 10;
/** Of older calls it is enough to know how they went: what they printed stays in the checkpoints of then. */
const MOST_PRINTED = 4;
const MOST_CHECKS = 50;
const MOST_BACKGROUND = 50;

/** Files touched, commands run, checks that fail, and what came out last. A call that was seen before is left alone. */
export function reduceCalls(state: WorkState, at: string, calls: readonly Call[]): boolean {
  const seen = new Set(state.recent_outputs.flatMap((output) => textOf(output, "id") ?? []));
  const fresh = calls.filter(({ id }) => !seen.has(id));
  for (const call of fresh) reduceCall(state, at, call);
  return fresh.length > 0;
}

function reduceCall(state: WorkState, at: string, call: Call): void {
  if (call.ok !== false) touch(state, call.files);
  if (call.command !== undefined) {
    const result = checkResult(call);
    // How a check went is known better than how the pipe behind it ended.
    const command: Command = { argv: argvOf(call.command), ok: result?.passed ?? call.ok, at };
    state.commands = [...state.commands, command].slice(-MOST_COMMANDS);
    if (result !== undefined) judge(state, result);
  }
  if (call.background !== undefined) noteBackground(state, call);
  const outputs = [...state.recent_outputs, outputOf(call, at)].slice(-MOST_OUTPUTS);
  const older = Math.max(0, outputs.length - MOST_PRINTED);
  state.recent_outputs = outputs.map((each, index) => (index < older ? withoutText(each) : each));
}

/** The newest stand last, each once. */
export function touch(state: WorkState, files: readonly string[]): boolean {
  if (files.length === 0) return false;
  const again = new Set(files);
  state.files_touched = [...state.files_touched.filter((file) => !again.has(file)), ...again].slice(
    -MOST_FILES,
  );
  return true;
}

/** The words of a command, where a shell would take them as they stand; otherwise the shell with its line. */
function argvOf(command: string): string[] {
  return /^[\w@%+=:,./ -]+$/.test(command) ? command.trim().split(/ +/) : ["sh", "-c", command];
}

/** A check that fails stays until it passes, be it alone or as part of a larger one: `vitest` passes for `vitest a`. */
function judge(state: WorkState, { check, passed }: CheckResult): void {
  const others = state.checks_failing.filter(
    (failing) =>
      failing !== check && !(passed && typeof failing === "string" && failing.startsWith(`${check} `)),
  );
  state.checks_failing = passed ? others : [...others, check].slice(-MOST_CHECKS);
}

function noteBackground(state: WorkState, { background, command = "?" }: Call): void {
  const session = asRecord(state.session) as AgentSession | undefined;
  if (session === undefined) return;
  const before = Array.isArray(session.background) ? session.background : [];
  const entry: Json = { id: background ?? "?", type: "shell", status: "running", what: command };
  session.background = [...before.filter((each) => textOf(each, "id") !== background), entry].slice(
    -MOST_BACKGROUND,
  );
}

function withoutText(output: Output): Output {
  if (asRecord(output) === undefined || output.output === undefined) return output;
  const { output: _printed, ...rest } = output;
  return rest;
}

function outputOf({ id, tool, ok, files, command, output }: Call, at: string): Output {
  const what = command ?? files.join(", ");
  return {
    type: tool,
    id,
    action: `${tool} ${what}`.slice(0, 300).toWellFormed(),
    success: ok !== false,
    timestamp: at,
    ...(output === undefined ? {} : { output }),
  };
}
