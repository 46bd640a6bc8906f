import { spawn, type ChildProcessByStdio } from "node:child_process";
import { createHash } from "node:crypto";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import type { Environment } from "../../../work/machine/environment.ts";

/** Where a command's output goes, and where signals come from. */
export interface CommandStreams {
  readonly out: (bytes: Uint8Array) => void;
  readonly err: (bytes: Uint8Array) => void;
  /** Calls with each signal that should reach the command; returns what ends that. */
  readonly onSignal: (pass: (signal: NodeJS.Signals) => void) => () => void;
}

export interface CommandOutcome {
  /** As a shell has it: 128 and the signal's number, 127 where there is no such program. */
  readonly exitCode: number;
  readonly signal: NodeJS.Signals | null;
  /** Why it did not start. */
  readonly problem?: string;
  readonly output: { readonly sha256: string; readonly bytes: number; readonly tail: string };
}

const TAIL_BYTES = 16 * 1024;

/** Runs a program with exactly these arguments: no shell reads them. `program` is the file that the first word means. */
export async function runCommand(
  [argv0 = "", ...args]: readonly string[],
  { program = argv0, cwd, env }: { program?: string | undefined; cwd: string; env: Environment },
  { out, err, onSignal }: CommandStreams,
): Promise<CommandOutcome> {
  const hash = createHash("sha256");
  let bytes = 0;
  let tail = Buffer.alloc(0);
  const take = (show: (bytes: Uint8Array) => void) => (chunk: Buffer) => {
    show(chunk);
    hash.update(chunk);
    bytes += chunk.length;
    tail = Buffer.concat([tail, chunk]).subarray(-TAIL_BYTES);
  };
  let child: ChildProcessByStdio<null, Readable, Readable>;
  try {
    child = spawn(program, args, { argv0, cwd, env, stdio: ["inherit", "pipe", "pipe"], shell: false });
  } catch (error) {
    // As for an argument with a zero byte in it.
    const output = { sha256: hash.digest("hex"), bytes, tail: "" };
    return { ...notStarted(error as NodeJS.ErrnoException), output };
  }
  child.stdout.on("data", take(out));
  child.stderr.on("data", take(err));
  const deaf = onSignal((signal) => void child.kill(signal));
  const ended = await new Promise<Pick<CommandOutcome, "exitCode" | "signal" | "problem">>((settle) => {
    child.once("error", (error: NodeJS.ErrnoException) => settle(notStarted(error)));
    child.once("close", (code, signal) => settle({ exitCode: code ?? statusOf(signal), signal }));
  });
  deaf();
  return { ...ended, output: { sha256: hash.digest("hex"), bytes, tail: tail.toString("utf8") } };
}

const statusOf = (signal: NodeJS.Signals | null) => 128 + (signal === null ? 0 : constants.signals[signal]);

function notStarted({ code = "", message }: NodeJS.ErrnoException) {
  return { exitCode: code === "ENOENT" ? 127 : 126, signal: null, problem: code || message };
}
