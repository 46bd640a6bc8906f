import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";

import type { CommandLine } from "../definition/types.ts";
import { wordsOf } from "./wrapper.ts";

export interface CommandOptions {
  readonly cwd: string;
  readonly env: Record<string, string>;
  /** Where everything goes that it prints. */
  readonly log: string;
  readonly timeoutMs: number;
}

/** Runs a short command to its end, such as a `verify`. Resolves to undefined when it went well, else to why not. */
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
    const ended = (await once(child, "exit")) as [number | null, string | null];
    if (ended[0] === 0) return undefined;
    return ended[1] === null ? `it ended with status ${ended[0]}` : `it was ended by ${ended[1]}`;
  } catch (error) {
    return `it could not be started (${(error as Error).message})`;
  } finally {
    closeSync(file);
  }
}
