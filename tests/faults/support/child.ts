import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

export interface Ended<Message> {
  readonly messages: readonly Message[];
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

export interface Child<Message> {
  /** What it has said so far. */
  readonly messages: readonly Message[];
  /** Resolves with the next message that fits, or with undefined when the process ends without one. */
  heard(fits: (message: Message) => boolean): Promise<Message | undefined>;
  /** kill -9: no handler, no goodbye. Or another signal. */
  kill(signal?: NodeJS.Signals): void;
  /** Resolves when the process is gone and everything it said is read. */
  ended(): Promise<Ended<Message>>;
}

export interface StartOptions {
  /** Something to start the program with: strace, a shell with limits, a namespace of its own. */
  readonly wrapper?: readonly string[];
  /** A process that takes longer is stuck: it is killed, and fails the test. */
  readonly timeoutMs?: number;
  /** Variables beside those of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a program that says lines of JSON on its standard output. */
export function start<Message>(
  program: string,
  args: readonly string[],
  { wrapper = [], timeoutMs = 60_000, env = {} }: StartOptions = {},
): Child<Message> {
  const [command, ...rest] = [...wrapper, process.execPath, program, ...args] as [string, ...string[]];
  const child = spawn(command, rest, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...env } });
  const messages: Message[] = [];
  const listeners = new Set<(message: Message | undefined) => void>();
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => {
    const message = JSON.parse(line) as Message;
    messages.push(message);
    for (const listener of listeners) listener(message);
  });
  const stderr = readAll(child);
  const closed = once(child, "close");
  child.once("close", () => {
    for (const listener of listeners) listener(undefined);
  });
  const alarm = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
  const ended = async () => {
    await closed;
    clearTimeout(alarm);
    return { messages, status: child.exitCode, signal: child.signalCode, stderr: (await stderr).trim() };
  };
  const heard = (fits: (message: Message) => boolean) =>
    new Promise<Message | undefined>((resolve) => {
      const listener = (message: Message | undefined) => {
        if (message !== undefined && !fits(message)) return;
        listeners.delete(listener);
        resolve(message);
      };
      listeners.add(listener);
      if (child.stdout.destroyed) listener(undefined);
    });
  return { messages, heard, kill: (signal = "SIGKILL") => void child.kill(signal), ended };
}

/** Runs `work` on every item, a few at a time: more would only wait for each other on two cores. */
export async function inLanes<T>(
  items: readonly T[],
  lanes: number,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const rest = items.entries();
  const lane = async () => {
    for (const [index, item] of rest) await work(item, index);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

async function readAll(child: ChildProcess): Promise<string> {
  let text = "";
  child.stderr?.setEncoding("utf8").on("data", (part: string) => (text += part));
  await once(child, "close");
  return text;
}
