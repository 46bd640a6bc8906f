// Runs commands one after the other, for warm-command.ts: each with arguments, environment, folder, stdin, stdout and
// stderr of its own, and with all modules of the program made anew. Only starting Node is saved.
import { closeSync, constants, createReadStream, openSync, readFileSync, readSync } from "node:fs";
import { rmSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Writable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { Script } from "node:vm";
import type { CommandReply, CommandRequest } from "../support/warm-command.ts";

const [launcher, requests, replies] = process.argv.slice(2) as [string, string, string];
const bundles = join(dirname(launcher), "../dist/cli");
const requireBeside = createRequire(launcher);
const bundle = join(bundles, "main.cjs");
const program = new Script(readFileSync(bundle, "latin1"), { filename: bundle });

/** Thrown where a process would be gone, so that nothing after it runs. */
const ENDED = new Error("The command has ended.");
const exit = process.exit.bind(process);
let settle: (status: number) => void;
/** A module of the user stays loaded, though its file may change before the next command. */
let hasImported = false;

process.exit = (status) => {
  settle(Number(status ?? process.exitCode ?? 0));
  throw ENDED;
};
process.on("uncaughtException", (error) => {
  if (error === ENDED) return;
  writeSync(2, `${error.stack}\n`);
  settle(1);
});
process.on("beforeExit", () => settle(Number(process.exitCode ?? 0)));
const listenersAtRest = new Map(
  process.eventNames().map((name) => [name, process.listeners(name as "exit")]),
);

const from = openSync(requests, constants.O_RDONLY);
const to = openSync(replies, constants.O_WRONLY);
writeSync(to, "\n");
for (let request = nextRequest(); request !== undefined; request = nextRequest()) {
  const status = await run(request);
  const isLast = hasImported || (await isStillBusy());
  const reply: CommandReply = { status, isLast };
  writeSync(to, `${JSON.stringify(reply)}\n`);
  if (isLast) break;
}
exit(0);

async function run({ args, cwd, env, files }: CommandRequest): Promise<number> {
  for (const [descriptor, file] of files.entries()) {
    closeSync(descriptor);
    // The system gives the lowest number that is free.
    if (openSync(file, descriptor === 0 ? "r" : "a") !== descriptor)
      throw new Error(`${descriptor} is taken.`);
  }
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.argv = [process.execPath, launcher, ...args];
  process.exitCode = undefined;
  const streams = [
    lend("stdin", reading),
    lend("stdout", () => writing(1)),
    lend("stderr", () => writing(2)),
  ];
  const ended = Promise.withResolvers<number>();
  settle = ended.resolve;
  start(args[0]).catch((error: unknown) => {
    if (error !== ENDED) throw error;
  });
  const status = await ended.promise;
  dismissListeners(status);
  for (const stream of streams) stream()?.destroy();
  return status;
}

/** As bin/checkpoint.js does. */
async function start(word: string | undefined): Promise<void> {
  const event = word === "hook" ? await requireBeside(join(bundles, "hand-over.cjs")).handOver() : undefined;
  const module = { exports: {} as { main(event: unknown): Promise<void> } };
  program.runInThisContext()(module.exports, requireFor, module, bundle, bundles);
  await module.exports.main(event);
}

function requireFor(name: string): unknown {
  if (!name.endsWith("/import-module.js")) return requireBeside(name);
  const importModule = async (path: string) => {
    hasImported = true;
    return requireBeside(name).importModule(path);
  };
  return { importModule };
}

/** What is open for longer than it takes to close a file would go on during the next command. */
async function isStillBusy(): Promise<boolean> {
  for (let turn = 0; turn < 20; turn++) {
    if (process.getActiveResourcesInfo().length === 0) return false;
    await setTimeout(1);
  }
  return true;
}

/** Makes a stream of the process when the command asks for it. Returns what was made. */
function lend<Stream>(name: "stdin" | "stdout" | "stderr", make: () => Stream): () => Stream | undefined {
  let made: Stream | undefined;
  Object.defineProperty(process, name, { configurable: true, get: () => (made ??= make()) });
  return () => made;
}

function reading() {
  return createReadStream("", { fd: 0, autoClose: false });
}

function writing(descriptor: number): Writable {
  return new Writable({
    write: (chunk: Uint8Array, _, done) => {
      writeSync(descriptor, chunk);
      done();
    },
  });
}

/** Those that came with the command go with it; whoever waits for the end of the process is called. */
function dismissListeners(status: number): void {
  for (const name of process.eventNames() as "exit"[]) {
    for (const listener of process.listeners(name)) {
      if (listenersAtRest.get(name)?.includes(listener)) continue;
      process.off(name, listener);
      if (name === "exit") listener(status);
    }
  }
}

/** Waits for a line. Undefined once nobody is there to send one; then nobody is there to tidy up either. */
function nextRequest(): CommandRequest | undefined {
  const chunks: Buffer[] = [];
  for (;;) {
    const chunk = Buffer.alloc(64 * 1024);
    const count = readSync(from, chunk);
    if (count === 0) {
      rmSync(dirname(requests), { recursive: true, force: true });
      return undefined;
    }
    chunks.push(chunk.subarray(0, count));
    if (chunk[count - 1] === 0x0a) return JSON.parse(Buffer.concat(chunks).toString()) as CommandRequest;
  }
}
