import { createHash } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import type { KeyKept } from "../../tests/faults/programs/kept-keys.ts";
import { start } from "../../tests/faults/support/child.ts";
import { randomFrom, type Random } from "../../tests/faults/support/random.ts";
import { whyNoStrace } from "../../tests/faults/support/strace.ts";
import { CrashDisk, type Files } from "../support/crash-disk.ts";
import { cutOften, FILE_SYSTEMS } from "../support/cut-often.ts";
import { examineState } from "../support/examine-state.ts";
import { makeHolder, whyNoLiveDisks } from "../support/images.ts";
import { atLeast, none, number, type Part, type Row, type World } from "../support/part.ts";
import { bundleProgram, PRIVATE_NOT_SYNCED } from "../support/programs.ts";
import { readRecording, recordingOf, type Operation } from "../support/recording.ts";
import type { Workload } from "../support/workloads.ts";

const CUTS_PER_DISK = 20;

export const stateFolder: Part = {
  name: "state-folder",
  about:
    "keys, the authority, the pin and what is trusted, after power cuts and in every state that a crash could leave",
  proves: [
    "src/capabilities/governance/keys",
    "src/capabilities/governance/ledger",
    "src/capabilities/governance/verbs/authority.ts",
    "src/work/project/remembered.ts",
    "src/capabilities/sync/remotes/keys.ts",
    "src/core/store/private-files.ts",
    "src/core/store/write-private.ts",
  ],
  whyNot: () => whyNoStrace ?? whyNoLiveDisks(),
  run: async (world) => {
    const program = await bundleProgram("key-keeper", world.folder);
    const broken = await bundleProgram("key-keeper", world.folder, [PRIVATE_NOT_SYNCED]);
    return [await crash(world, program, broken), await cut(world, program, broken)];
  },
};

async function crash(world: World, program: string, broken: string): Promise<Row> {
  const wanted = world.isQuick ? 200 : 8000;
  const operations = await record(world, program);
  const { states, problems } = await enumerate(world, operations, wanted);
  none(problems, "lost, damaged or unusable after a crash");
  atLeast(wanted * 0.9, states, "crash states");
  const control = await enumerate(world, await record(world, broken), 2000, 1);
  if (control.problems.length === 0) throw new Error("The control without a sync lost nothing.");
  return {
    fault:
      "crash between any two system calls while keys are made, rotated and kept; unsynced contents and names kept, dropped, reordered, torn",
    count: `${number(states)} distinct states of ${number(operations.length)} calls`,
    outcome: "0 keys lost or torn, the authority can sign in all",
    control: `files not synced before they are named: lost in state ${number(control.states)}`,
  };
}

async function record(world: World, program: string): Promise<Operation[]> {
  const folder = join(world.memory, "state-folder");
  const log = join(world.memory, "state-folder.log");
  mkdirSync(folder);
  const { status, stderr } = await start<KeyKept>(program, [folder, "1"], {
    wrapper: recordingOf(log),
  }).ended();
  if (status !== 0) throw new Error(`The keeper ended with ${status}: ${stderr}`);
  const recorded = readRecording(log, folder).filter(
    (each) => each.kind === "say" || !each.file.endsWith("-shm"),
  );
  rmSync(folder, { recursive: true });
  rmSync(log);
  return recorded;
}

/** Crashes after each call, in as many ways as it takes to see so many different states. */
async function enumerate(world: World, operations: readonly Operation[], wanted: number, mostProblems = 20) {
  const random = randomFrom(world.seed);
  const seen = new Set<string>();
  const problems: string[] = [];
  for (let chosen = 1; seen.size < wanted && chosen <= 1024 && problems.length < mostProblems; chosen *= 4) {
    const disk = new CrashDisk();
    const kept: KeyKept[] = [];
    for (const operation of operations) {
      disk.do(operation);
      if (operation.kind === "say") kept.push(operation.message as KeyKept);
      for (const files of disk.states(random, chosen)) {
        if (seen.size >= wanted || problems.length >= mostProblems) break;
        const key = keyOf(files, kept.length);
        if (seen.has(key)) continue;
        seen.add(key);
        const found = await check(world, files, kept);
        problems.push(...found.map((problem) => `after ${kept.length} messages: ${problem}`));
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

async function check(world: World, files: Files, kept: readonly KeyKept[]): Promise<string[]> {
  const folder = join(world.memory, "left");
  rmSync(folder, { recursive: true, force: true });
  for (const [name, bytes] of files) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, bytes, { mode: 0o600 });
  }
  return examineState(join(folder, "1"), kept);
}

async function cut(world: World, program: string, broken: string): Promise<Row> {
  const holder = makeHolder(world.folder);
  try {
    const random = randomFrom(world.seed);
    const wanted = world.isQuick ? 6 : 240;
    const total = { cuts: 0, acknowledged: 0, problems: [] as string[] };
    const cuts = world.isQuick ? 2 : CUTS_PER_DISK;
    while (total.cuts < wanted) {
      const kind = FILE_SYSTEMS[(total.cuts / cuts) % FILE_SYSTEMS.length] ?? "ext4";
      const cutting = { world, holder: holder.folder, kind, cuts, random, first: total.cuts };
      const found = await cutOften(cutting, (disk) => [keeperWorkload(disk, program)]);
      total.cuts += cuts;
      total.acknowledged += found.acknowledged;
      total.problems.push(...found.problems);
    }
    none(total.problems, "lost, damaged or unusable after a power cut");
    atLeast(total.cuts, total.acknowledged, "acknowledgements");
    return {
      fault: "power cut while keys are made, rotated and kept in the state folder (ext4, xfs, btrfs)",
      count: `${number(total.cuts)} cuts, ${number(total.acknowledged)} acknowledgements`,
      outcome: "0 keys lost or torn, the authority can sign in all",
      control: await controlLoses({ world, holder: holder.folder, random }, broken),
    };
  } finally {
    holder.remove();
  }
}

interface Cutting {
  readonly world: World;
  readonly holder: string;
  readonly random: Random;
}

async function controlLoses(cutting: Cutting, broken: string): Promise<string> {
  const most = 60;
  for (let cuts = 10; cuts <= most; cuts += 10) {
    const { problems } = await cutOften(
      { ...cutting, kind: "xfs", cuts: 10, first: 100_000 + cuts },
      (disk) => [keeperWorkload(disk, broken)],
    );
    if (problems.length > 0) return `files not synced before they are named: lost within ${cuts} cuts`;
  }
  throw new Error(`The control without a sync lost nothing in ${most} cuts.`);
}

/** A program that makes one state folder after the other. The newest turns are looked at: a cut takes what came last. */
function keeperWorkload(disk: string, program: string): Workload {
  const folder = join(disk, "homes");
  mkdirSync(folder);
  const keeper = start<KeyKept>(program, [folder, "100000"], { timeoutMs: 3_600_000 });
  return {
    name: "state folder",
    count: () => keeper.messages.length,
    check: () => {
      const said = [...keeper.messages];
      const last = said.at(-1)?.turn ?? 0;
      return async (cut) => {
        const problems: string[] = [];
        for (let turn = Math.max(1, last - 2); turn <= last; turn++) {
          const kept = said.filter((message) => message.turn === turn);
          problems.push(...(await examineState(join(cut, "homes", String(turn)), kept)));
        }
        return problems;
      };
    },
    pause: (isPaused) => keeper.kill(isPaused ? "SIGSTOP" : "SIGCONT"),
    stop: async () => {
      keeper.kill();
      await keeper.ended();
    },
  };
}
