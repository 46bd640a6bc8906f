import { chmodSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { once } from "node:events";
import { openUnguarded } from "../../work/state/cairn.ts";
import type { StepStart } from "../workflow/engine/engine.ts";
import { wordsOf } from "../workflow/engine/wrapper.ts";
import { readRun } from "../workflow/runner/examine-run.ts";
import type { ChaosTest } from "./chaos-file.ts";
import { ChaosLog } from "./chaos-log.ts";
import { live, RUN_ID } from "./live.ts";
import type { ChaosWorld } from "./play-here.ts";
import type { ChaosEvent, ChaosFault } from "./schedule.ts";

/** The file, named in this variable, that tells a process which life of a runner it is. */
export const LIFE_VARIABLE = "CAIRN_CHAOS_LIFE";

/** What a process of its own is told. */
export interface LifeFile {
  readonly root: string;
  readonly log: string;
  readonly schedule: readonly ChaosEvent[];
  readonly takeOver: boolean;
  /** Where it says how the run ended, if it lives to see that. */
  readonly outcome: string;
}

/** Is a runner, in a process of its own, until the run ends or this process is killed: by itself, at the call that is struck. */
export async function oneLife(
  test: ChaosTest,
  file: string,
  world: ChaosWorld,
  tell: (word: string) => void,
): Promise<void> {
  const { root, log, schedule, takeOver, outcome } = JSON.parse(readFileSync(file, "utf8")) as LifeFile;
  const folder = join(root, ".cairn");
  const cairn = await openUnguarded({ path: folder, now: world.now });
  const proxy = schedule.some(({ fault }) => fault === "net") ? await brokenProxy() : undefined;
  const { [LIFE_VARIABLE]: _life, ...env } = world.env;
  const context = { ...world, env, root, folder, cairn };
  /** Nobody could remove a copy whose folders stayed read-only. */
  const undone: (() => void)[] = [];
  const striking = {
    schedule,
    log: new ChaosLog(log),
    folder,
    isDead: () => false,
    die: async () => {
      for (const undo of undone) undo();
      process.kill(process.pid, "SIGKILL");
      await new Promise(() => {});
    },
    freeze: async () => {
      tell("frozen");
      process.kill(process.pid, "SIGSTOP");
    },
    onMachine: (start: StepStart, fault: ChaosFault) => {
      const [changed, undo] = onMachine(start, fault, { root, proxy: proxy?.url });
      undone.push(undo);
      return [changed, undo] as const;
    },
  };
  const ended = await live({ context, test, striking, takeOver });
  const run = await readRun(context, RUN_ID).catch(() => undefined);
  writeFileSync(`${outcome}.new`, JSON.stringify({ ended, run }));
  renameSync(`${outcome}.new`, outcome);
  await cairn.close();
  proxy?.close();
}

function onMachine(
  start: StepStart,
  fault: ChaosFault,
  { root, proxy }: { readonly root: string; readonly proxy: string | undefined },
): readonly [StepStart, () => void] {
  const { step } = start;
  const withEnv = (env: Readonly<Record<string, string>>) => ({
    ...start,
    step: { ...step, env: { ...step.env, ...env } },
  });
  if (fault === "full-disk") {
    const run = ["/bin/sh", "-c", `trap '' XFSZ; ulimit -f 0; exec "$@"`, "sh", ...wordsOf(step.run!)];
    return [{ ...start, step: { ...step, run } }, () => {}];
  }
  if (fault === "clock") return [withEnv({ LD_PRELOAD: fakeTimeLibrary()!, FAKETIME: "+2d" }), () => {}];
  if (fault === "net")
    return [withEnv(Object.fromEntries(PROXY_VARIABLES.map((name) => [name, proxy!]))), () => {}];
  return [start, withoutWriting(root, step.outputs ?? [])];
}

/** Makes the root and the folders of the outputs read-only. Returns what undoes it. */
function withoutWriting(root: string, outputs: readonly string[]): () => void {
  const folders = [...new Set([root, ...outputs.map((path) => dirname(join(root, path)))])].filter((path) =>
    existsSync(path),
  );
  const modes = folders.map((path) => [path, statSync(path).mode & 0o777] as const);
  for (const [path, mode] of modes) chmodSync(path, mode & 0o555);
  return () => modes.forEach(([path, mode]) => chmodSync(path, mode));
}

/** Node's own programs use them if the last one says so. */
const PROXY_VARIABLES = [
  "http_proxy",
  "https_proxy",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "ALL_PROXY",
  "NODE_USE_ENV_PROXY",
];

/** A proxy on loopback that takes every connection and breaks it. */
async function brokenProxy() {
  const server = createServer((socket) => socket.destroy());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

const FAKE_TIME = [
  "/usr/lib/x86_64-linux-gnu",
  "/usr/lib/aarch64-linux-gnu",
  "/usr/lib64",
  "/usr/lib",
  "/usr/local/lib",
].map((folder) => `${folder}/faketime/libfaketime.so.1`);

/** Where libfaketime is, if it is installed. */
export const fakeTimeLibrary = (): string | undefined => FAKE_TIME.find((path) => existsSync(path));

/** Wakes a process that was stopped. */
export const wake = (pid: number): boolean => process.kill(pid, "SIGCONT");
