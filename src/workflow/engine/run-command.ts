import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";

import type { CommandLine } from "../definition/types.ts";
import { wordsOf } from "./wrapper.ts";

export interface CommandOptions {
  readonly cwd: string;
  readonly env: Record<string, string>;
  /** Where its output goes. */
  readonly log: string;
  readonly timeoutMs: number;
}

/** Runs a short command, such as a `verify`. Resolves to undefined if it succeeded, else to the reason why not. */
export async function runCommand(
  command: CommandLine,
  { cwd, env, log, timeoutMs }: CommandOptions,
): Promise<string | undefined> {
  const [program, ...args] = wordsOf(command) as [string, ...string[]];
  const file = openSync(log, "a", 0o600);
  try {
    const child = spawn(program, args, {
      cwd,
      env,
      stdio: ["ignore", file, file],
      timeout: timeoutMs,
      killSignal: "SIGKILL",
    });
    const [status, signal] = (await once(child, "exit")) as [number | null, string | null];
    if (status === 0) return undefined;
    return signal === null ? `it ended with status ${status}` : `it was ended by ${signal}`;
  } catch (error) {
    return `it could not be started (${(error as Error).message})`;
  } finally {
    closeSync(file);
  }
}
