import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A process of the bench's own: it says lines of JSON, and waits for a line where its program says so. */
export interface Child {
  /** The next line it says. Rejects when it ends without one. */
  next<Message>(): Promise<Message>;
  go(): void;
  /** Resolves once the process is gone. */
  ended(): Promise<void>;
}

export const activeChildren = new Set<ChildProcess>();

/** Runs one of the programs beside this file. */
export function startChild(program: string, args: readonly string[]): Child {
  const path = fileURLToPath(new URL(program, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  activeChildren.add(child);
  child.once("exit", () => activeChildren.delete(child));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    next: async <Message>() => {
      const { value, done } = await lines.next();
      if (done) throw new Error(`${program} ended early with status ${await statusOf(child)}.`);
      return JSON.parse(value as string) as Message;
    },
    go: () => child.stdin.end("go\n"),
    ended: async () => {
      await statusOf(child);
    },
  };
}

/** For the program's side: says something to the bench. */
export function say(message: unknown): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

/** For the program's side: waits until the bench says go. */
export async function waitForGo(): Promise<void> {
  await once(process.stdin, "data");
}

async function statusOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode;
}
