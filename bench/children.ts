import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A process of the bench's own: it answers in lines of JSON. */
export interface Child {
  /** The next thing it says. Rejects when it ends without a word. */
  next<Message>(): Promise<Message>;
  /** Says a line to it. */
  tell(line: string): void;
  /** Tells it that nothing more will come. Resolves once it is gone. */
  end(): Promise<void>;
}

const active = new Set<ChildProcess>();

/** Ends whatever still runs. */
export function endChildren(): void {
  for (const child of active) child.kill("SIGKILL");
}

/** Runs one of the programs beside this file. */
export function startChild(program: string, args: readonly string[]): Child {
  const path = fileURLToPath(new URL(program, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  active.add(child);
  child.once("exit", () => active.delete(child));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    next: async <Message>() => {
      const { value, done } = await lines.next();
      if (done) throw new Error(`${program} ended early with status ${await statusOf(child)}.`);
      return JSON.parse(value) as Message;
    },
    tell: (line) => child.stdin.write(`${line}\n`),
    end: async () => {
      child.stdin.end();
      const status = await statusOf(child);
      if (status !== 0) throw new Error(`${program} ended with status ${status}.`);
    },
  };
}

/** For the program's side: says something to the bench. */
export function say(message: unknown): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

async function statusOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode;
}

/** For the program's side: the most memory that this process ever had. On Linux, maxRSS begins with what the parent had when it started this process; the kernel's own mark does not. */
export function peakMemory(): number {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS * 1024;
  const [, kilobytes] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}
