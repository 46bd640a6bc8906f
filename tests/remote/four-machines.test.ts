import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, expect, it } from "vitest";

import { thisMachine } from "../../src/work/machine/this-machine.ts";
import * as verbs from "../../src/doors/library/project.ts";
import type { ObjectId } from "../../src/core/objects/object-id.ts";
import { bundleFile } from "../faults/support/program.ts";
import { randomFrom, seed } from "../faults/support/random.ts";
import { report, scaled, TIMEOUT_MS } from "../faults/support/scale.ts";
import { startS3Server } from "./support/s3-server.ts";

/** `npm run proof` does it in full. */
const NAMES = ["anna", "bert", "carl", "dora"].slice(0, scaled(3, 4));
const STEPS = scaled(10, 200);

// In memory where that is possible: what a killed process has written survives it there too.
const folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "cairn-four-"));
afterAll(() => rmSync(folder, { recursive: true }));

const PROGRAM = bundleFile(join(import.meta.dirname, "programs/machine.ts"), folder);

const homeOf = (name: string) => join(folder, name);
const logOf = (name: string) => join(folder, `${name}.log`);

/** What a machine had acknowledged, step by step. */
function acknowledged(name: string): Map<number, ObjectId> {
  if (!existsSync(logOf(name))) return new Map();
  const lines = readFileSync(logOf(name), "utf8").trimEnd().split("\n").filter(Boolean);
  return new Map(lines.map((line) => [Number(line.split(" ")[0]), line.split(" ")[1] as ObjectId]));
}

/** When a machine is killed: so many milliseconds after it has acknowledged so many steps. */
interface Kill {
  readonly step: number;
  readonly ms: number;
}

/** Runs a machine to its last step. It is killed at some moments on the way, and started again where it was. */
async function runMachine(name: string, url: string, kills: readonly Kill[]): Promise<number> {
  let killed = 0;
  for (const kill of [...kills, undefined]) {
    const done = acknowledged(name);
    const words = [homeOf(name), name, url, String(done.size), String(STEPS), logOf(name)];
    const child = spawn(process.execPath, [PROGRAM, ...words], { stdio: ["ignore", "inherit", "inherit"] });
    const ended = once(child, "close");
    const over = new AbortController();
    void ended.finally(() => over.abort());
    if (kill !== undefined) void killWhen(child, { name, kill, over: over.signal });
    const [status, signal] = (await ended) as [number | null, string | null];
    if (signal === "SIGKILL") killed += 1;
    else if (status !== 0) throw new Error(`${name} ended with status ${status}`);
  }
  return killed;
}

async function killWhen(
  child: ChildProcess,
  { name, kill, over }: { readonly name: string; readonly kill: Kill; readonly over: AbortSignal },
): Promise<void> {
  while (!over.aborted && acknowledged(name).size < kill.step) await wait(2);
  await wait(kill.ms);
  child.kill("SIGKILL");
}

const random = randomFrom(seed);

/** Between its steps and in the middle of one, however quick the machine is. */
const killsOf = (): Kill[] =>
  (STEPS > 100 ? [0.1, 0.2, 0.4, 0.8] : [0.5]).map((part) => ({
    step: Math.floor(part * STEPS * (0.5 + random() / 2)),
    ms: random() * 50,
  }));

it(
  `${NAMES.length} machines with kills in the middle lose nothing, and converge`,
  { timeout: 2 * TIMEOUT_MS },
  async () => {
    const server = await startS3Server();
    const url = `s3://bucket/team?endpoint=${server.endpoint}`;
    try {
      for (const name of NAMES) mkdirSync(homeOf(name));
      const kills = await Promise.all(NAMES.map((name) => runMachine(name, url, killsOf())));
      expect(kills.reduce((sum, each) => sum + each)).toBeGreaterThan(0);

      // Alone now, one after the other: after two rounds everybody has what everybody had.
      for (let round = 0; round < 2; round++)
        for (const name of NAMES) await withProject(name, (project) => verbs.sync(project, { join: true }));

      const heads = await Promise.all(NAMES.map(headsOf));
      for (const other of heads) expect(other, `seed ${seed}`).toEqual(heads[0]);
      for (const name of NAMES) {
        const saved = acknowledged(name);
        expect(saved.size).toBeGreaterThanOrEqual(STEPS);
        for (const reader of NAMES) expect(await missingSteps(reader, name, saved)).toEqual([]);
      }
      const saved = NAMES.reduce((sum, name) => sum + acknowledged(name).size, 0);
      const killed = kills.reduce((sum, each) => sum + each);
      report(
        `${NAMES.length} machines, ${saved} commits, ${killed} kills: 0 lost, 0 overwritten, all ${Object.keys(heads[0] ?? {}).length} heads equal on all machines`,
      );
    } finally {
      await server.close();
    }
  },
);

async function withProject<Result>(
  name: string,
  use: (project: verbs.Project) => Promise<Result>,
): Promise<Result> {
  const project = verbs.openProject({
    path: homeOf(name),
    env: { HOME: homeOf(name), AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret" },
    machine: { ...thisMachine, host: name },
  });
  try {
    return await use(project);
  } finally {
    await project.stores.close();
  }
}

async function headsOf(name: string): Promise<Record<string, string>> {
  return withProject(name, async (project) => {
    expect((await verbs.verify(project, {})).damage).toEqual([]);
    const { store } = await project.stores.open(project, "read");
    return Object.fromEntries((await store.trails()).map((trail) => [trail.name, trail.head]));
  });
}

/** Steps of a machine that another one lacks: the checkpoint itself, or its value in the newest state of the trail. */
async function missingSteps(
  reader: string,
  writer: string,
  saved: ReadonlyMap<number, ObjectId>,
): Promise<number[]> {
  return withProject(reader, async (project) => {
    const cairn = await project.stores.open(project, "read");
    const shared = (await cairn.trail("shared").load()).state.variables;
    const own = (await cairn.trail(`own-${writer}`).load()).state.variables;
    const present = await cairn.store.readObjects([...saved.values()]);
    return [...saved.keys()].filter(
      (step) =>
        (step % 2 === 0 ? shared : own)[`${writer}-${step}`] !== String(step) ||
        !present.has(saved.get(step) as ObjectId),
    );
  });
}
