import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { stripVTControlCharacters } from "node:util";
import { bold, tell } from "./narrate.ts";

const PROGRAM = join(import.meta.dirname, "../../bin/checkpoint.js");

export interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
}

export interface CommandOptions {
  /** Kill the command with kill -9 as soon as it has printed a line with these words. */
  readonly killAt?: string;
  /** Prints neither the command nor what it says. */
  readonly isQuiet?: boolean;
}

/** Runs the real command in a folder as a person would type it, and shows what it prints, line by line. */
export type Checkpoint = (words: readonly string[], options?: CommandOptions) => Promise<Ended>;

export function commandIn(folder: string): Checkpoint {
  return async (words, { killAt, isQuiet = false } = {}) => {
    if (!isQuiet) tell(bold(`$ checkpoint ${words.map(quoted).join(" ")}`));
    const child = spawn(process.execPath, [PROGRAM, ...words], {
      cwd: folder,
      env: environment(folder),
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stdout = "";
    const show = (line: string) => {
      if (!isQuiet) tell(`  ${line}`);
      if (killAt !== undefined && stripVTControlCharacters(line).includes(killAt)) child.kill("SIGKILL");
    };
    createInterface({ input: child.stderr }).on("line", show);
    createInterface({ input: child.stdout }).on("line", (line) => {
      stdout += `${line}\n`;
      show(line);
    });
    const [status, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
    return { status, signal, stdout };
  };
}

/** Nothing of the demo is left behind in the home folder, and nobody's agent session gets into it. */
export function environment(folder: string): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/SESSION_ID|THREAD_ID|^CHECKPOINT_/.test(name));
  const isColoured = process.stdout.isTTY && !process.env["NO_COLOR"];
  return {
    ...Object.fromEntries(own),
    XDG_STATE_HOME: join(folder, "..", "state"),
    AGENT_SECONDS: "0.4",
    ...(isColoured ? { FORCE_COLOR: "1" } : {}),
  };
}

const quoted = (word: string) => (/^[\w./=-]+$/.test(word) ? word : `"${word}"`);
