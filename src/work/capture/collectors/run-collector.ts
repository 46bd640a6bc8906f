import { spawn, type ChildProcess } from "node:child_process";
import { sep } from "node:path";
import type { Machine } from "../../machine/this-machine.ts";
import { type Environment, withoutRelativePath } from "../../machine/environment.ts";

/** A program whose JSON goes into checkpoints. */
export interface CollectorCommand {
  readonly name: string;
  /** The program and its arguments: no shell reads them. */
  readonly command: readonly string[];
  /** Where what it prints belongs: an object to the variables, or outputs to those of the work. */
  readonly into: "variables" | "outputs";
  readonly timeout_ms: number;
}

/** A program that prints more has no state to tell, but data. */
const MAX_COLLECTED_BYTES = 256 * 1024;

export interface CollectorContext {
  readonly root: string;
  readonly env: Environment;
  /** Sends signals: a negative id means a whole group. */
  readonly machine: Pick<Machine, "kill" | "onExit">;
}

/** What a program prints, within its time and the largest size. Rejects with a sentence that says why there is nothing. */
export async function runCollector(
  { command: [program = "", ...args], timeout_ms }: CollectorCommand,
  { root, env, machine }: CollectorContext,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  // In a group of its own, so that what it has started ends with it.
  const child = spawn(program, args, {
    cwd: root,
    env: withoutRelativePath(env),
    stdio: ["ignore", "pipe", "ignore"],
    detached: HAS_GROUPS,
    windowsHide: true,
  });
  // Ctrl-C ends this process, not a group of another.
  const forget = machine.onExit(() => endGroup(machine, child));
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  const timer = setTimeout(() => reject(new Error(`it took longer than ${timeout_ms} ms`)), timeout_ms);
  child.stdout.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    sizeBytes += chunk.length;
    if (sizeBytes > MAX_COLLECTED_BYTES)
      reject(new Error(`it printed more than ${MAX_COLLECTED_BYTES} bytes`));
  });
  child.once("error", ({ message }) => reject(new Error(`it could not be started: ${message}`)));
  child.once("close", (status, signal) => {
    if (status === 0) resolve(Buffer.concat(chunks).toString("utf8"));
    else reject(new Error(signal ? `it ended with ${signal}` : `it ended with status ${status}`));
  });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    forget();
    endGroup(machine, child);
    // What survives even that must not keep us alive.
    child.stdout.destroy();
    child.unref();
  }
}

/** Windows has no groups of processes: there only the program itself is ended. */
const HAS_GROUPS = sep === "/";

function endGroup({ kill }: CollectorContext["machine"], child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (HAS_GROUPS) kill(-child.pid, "SIGKILL");
    else child.kill("SIGKILL");
  } catch {
    // Everything in it has ended.
  }
}
