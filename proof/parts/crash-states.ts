import { createHash } from "node:crypto";
import { createWriteStream, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

import { exportTrail } from "../../src/core/trails/transfer/export-trail.ts";
import { openCairn } from "../../src/doors/library/index.ts";
import { advance, IMPORTED, NO_WORK, type Work } from "../../tests/faults/programs/work.ts";
import type { Told } from "../../tests/faults/programs/writer.ts";
import { start } from "../../tests/faults/support/child.ts";
import { randomFrom } from "../../tests/faults/support/random.ts";
import { whyNoStrace } from "../../tests/faults/support/strace.ts";
import { CrashDisk, type Files } from "../support/crash-disk.ts";
import { acknowledgedIn, examine } from "../support/examine.ts";
import { atLeast, none, number, type Part, type World } from "../support/part.ts";
import { bundleProgram, NOT_SYNCED } from "../support/programs.ts";
import { readRecording, recordingOf, type Operation } from "../support/recording.ts";

export const crashStates: Part = {
  name: "crash-states",
  about: "every state that a crash could leave: unsynced writes kept, dropped, reordered and torn",
  proves: ["src/core/objects", "src/core/store", "src/core/trails"],
  whyNot: () => whyNoStrace,
  run: async (world) => {
    const wanted = world.isQuick ? 300 : 20_500;
    const program = await bundleProgram("writer", world.folder);
    const operations = await record(world, program, "whole");
    const { states, problems } = await enumerate(world, operations, wanted);
    none(problems, "lost, damaged or falsely alarmed after a crash");
    atLeast(world.isQuick ? 200 : 20_000, states, "crash states");
    const broken = await record(world, await bundleProgram("writer", world.folder, NOT_SYNCED), "control");
    const control = await enumerate(world, broken, 10_000, 1);
    if (control.problems.length === 0) throw new Error("The control with synchronous=NORMAL lost nothing.");
    return [
      {
        fault:
          "crash between any two system calls of create, commit, prune and sweep, import, close; unsynced writes kept, dropped, reordered, torn",
        count: `${number(states)} distinct states of ${number(operations.length)} calls`,
        outcome: "0 lost, 0 damaged, 0 false alarms",
        control: `with \`synchronous=NORMAL\`: lost in state ${number(control.states)}`,
      },
    ];
  },
};

/** What a writer does to a store while it creates it, commits, prunes, sweeps, imports, and closes. */
async function record(world: World, program: string, name: string): Promise<Operation[]> {
  const folder = join(world.memory, name);
  const log = join(world.memory, `${name}.log`);
  const file = join(world.folder, `${name}.cairn`);
  await writeExport(join(world.folder, `${name}-source`), file);
  const operations = [
    "open",
    "commit:5",
    "prune:2",
    "sweep",
    "commit:2",
    `import:${file}`,
    "commit:2",
    "close",
  ];
  const wrapper = recordingOf(log);
  const { status, stderr } = await start<Told>(program, [folder, ...operations], { wrapper }).ended();
  if (status !== 0) throw new Error(`The writer ended with ${status}: ${stderr}`);
  const recorded = readRecording(log, folder).filter(
    (each) => each.kind === "say" || !each.file.endsWith("-shm"),
  );
  rmSync(folder, { recursive: true });
  rmSync(log);
  return recorded;
}

async function writeExport(folder: string, file: string): Promise<void> {
  const cairn = await openCairn({ path: folder });
  const trail = cairn.trail<Work>("main", { initial: NO_WORK });
  for (let count = 0; count < 3; count++) await trail.commit(advance);
  await pipeline(exportTrail(cairn.store, "main"), createWriteStream(file));
  await cairn.close();
}

/** Crashes after each call, in as many ways as it takes to see so many different states. */
async function enumerate(world: World, operations: readonly Operation[], wanted: number, mostProblems = 20) {
  const random = randomFrom(world.seed);
  const seen = new Set<string>();
  const problems: string[] = [];
  // Few chosen ones at first: all points are visited before any is visited in more ways.
  for (let chosen = 1; seen.size < wanted && chosen <= 1024 && problems.length < mostProblems; chosen *= 4) {
    const disk = new CrashDisk();
    const said: Told[] = [];
    for (const operation of operations) {
      disk.do(operation);
      if (operation.kind === "say") said.push(operation.message as Told);
      for (const files of disk.states(random, chosen)) {
        if (seen.size >= wanted || problems.length >= mostProblems) break;
        const key = keyOf(files, said.length);
        if (seen.has(key)) continue;
        seen.add(key);
        problems.push(
          ...(await check(world, files, said)).map((problem) => `after ${said.length} messages: ${problem}`),
        );
        world.progress(`${seen.size} states; ${problems.length} problems`);
      }
    }
  }
  return { states: seen.size, problems };
}

function keyOf(files: Files, messages: number): string {
  const hash = createHash("sha256").update(String(messages));
  for (const [name, bytes] of files) hash.update(`\0${name}\0${bytes.length}\0`).update(bytes);
  return hash.digest("hex");
}

async function check(world: World, files: Files, said: readonly Told[]): Promise<string[]> {
  const folder = join(world.memory, "state");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes, { mode: 0o600 });
  const prune = said.findLastIndex((message) => "doing" in message && message.doing === "prune");
  const acknowledged = acknowledgedIn(said);
  const problems = await examine(folder, { acknowledged, pruned: acknowledgedIn(said.slice(0, prune + 1)) });
  const isImported = said.some((message) => "did" in message && message.did === "import");
  if (problems.length === 0 && isImported) {
    const cairn = await openCairn({ path: folder, readOnly: true });
    if ((await cairn.trail(IMPORTED).head()) === undefined) problems.push("the imported trail is gone");
    await cairn.close();
  }
  return problems;
}
