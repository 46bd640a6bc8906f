import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** What the writer said about one checkpoint: its hash, and how long saving it took. */
export interface Acknowledgement {
  readonly content_hash: string;
  readonly milliseconds: number;
}

const ENOUGH = 150;
const LONGEST_MS = 5_000;

/** Lets a writer run in a process of its own, kills it with kill -9 in the middle, and returns what it had said. */
export async function runAndKill(path: string): Promise<Acknowledgement[]> {
  const program = fileURLToPath(new URL("writer.ts", import.meta.url));
  const child = spawn(process.execPath, [program, path], { stdio: ["ignore", "pipe", "inherit"] });
  const said: Acknowledgement[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => {
    said.push(JSON.parse(line) as Acknowledgement);
    // A moment later, so that it strikes inside a commit rather than right after one.
    if (said.length === ENOUGH) setTimeout(() => child.kill("SIGKILL"), Math.random() * 5);
  });
  const alarm = setTimeout(() => child.kill("SIGKILL"), LONGEST_MS);
  const [status, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  clearTimeout(alarm);
  if (signal !== "SIGKILL") throw new Error(`The writer ended by itself with status ${status}.`);
  return said;
}
