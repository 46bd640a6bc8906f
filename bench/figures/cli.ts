import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { atMost, type Bench, type Figure, type Row } from "../figure.ts";
import { openCairn } from "../library.ts";
import { Samples } from "../measure.ts";

const LAUNCHER = fileURLToPath(new URL("../../bin/checkpoint.js", import.meta.url));
const ROUNDS = 25;
const CHECKPOINTS = 10_000;
const FILES = 1000;

/** A command in a folder, and what it may cost in starts of Node. */
interface Case {
  readonly figure: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly must: number;
  readonly aim: number;
}

export const cli: Figure = {
  name: "cli",
  title: "The command as people and hooks start it, against `node -e 0` in the same round",
  measure: async (bench) => {
    const { place, progress } = bench;
    progress.step("command: making projects");
    const [plain, repository, many, large] = [
      place.newFolder(),
      place.newFolder(),
      place.newFolder(),
      place.newFolder(),
    ];
    makeRepository(repository);
    await makeMany(bench, many);
    await makeLarge(large);
    const cases: readonly Case[] = [
      { figure: "now outside git", args: ["now"], folder: plain, must: 2, aim: 1.75 },
      {
        figure: "now in a git repository of 1,000 files",
        args: ["now"],
        folder: repository,
        must: 2.4,
        aim: 2.1,
      },
      ...["list", "summary", "load"].map((name) => ({
        figure: `${name} with 10,000 checkpoints`,
        args: [name],
        folder: many,
        must: 2.2,
        aim: 1.8,
      })),
      { figure: "diff of neighbours in a 2 MB state", args: ["diff"], folder: large, must: 2.2, aim: 1.8 },
    ];
    progress.step("command / node -e 0");
    return measureAll(cases, (round) => progress.at(round, ROUNDS));
  },
};

/** All of them in turns, so that whatever else the machine does hits all alike. */
async function measureAll(cases: readonly Case[], onRound: (round: number) => void): Promise<Row[]> {
  const floor = new Samples();
  const samples = cases.map(() => new Samples());
  // Once without being measured: it creates stores, and the compiled code that later starts find.
  for (const { args, folder } of cases) start([LAUNCHER, ...args], folder);
  for (let round = 1; round <= ROUNDS; round++) {
    await floor.time(() => start(["-e", "0"], "/"));
    for (const [index, { args, folder }] of cases.entries()) {
      await samples[index]?.time(() => start([LAUNCHER, ...args], folder));
    }
    onRound(round);
  }
  return cases.map(({ figure, must, aim }, index) => {
    const { p50 } = samples[index] as Samples;
    const from = `${(p50 / 1000).toFixed(1)} ms / ${(floor.p50 / 1000).toFixed(1)} ms`;
    return atMost(`checkpoint ${figure} / node -e 0`, p50 / floor.p50, { must, aim }, from);
  });
}

function start(args: readonly string[], cwd: string): void {
  // With extra certificates some Nodes take longer to start, which would hide what is measured.
  const { NODE_EXTRA_CA_CERTS: _certificates, ...env } = process.env;
  const { status, stderr } = spawnSync(process.execPath, args, { cwd, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`${args.join(" ")} ended with status ${status}: ${stderr}`);
}

function makeRepository(folder: string): void {
  for (let index = 0; index < FILES; index++) {
    const below = join(folder, `part-${Math.floor(index / 50)}`);
    mkdirSync(below, { recursive: true });
    writeFileSync(join(below, `file-${index}.txt`), `This is file ${index}.\n`);
  }
  const git = (...args: readonly string[]) => spawnSync("git", args, { cwd: folder });
  git("init", "-q");
  git("add", ".");
  git("-c", "user.name=bench", "-c", "user.email=bench@example.com", "commit", "-qm", "All files");
}

/** Built in memory, because ten thousand durable commits would take a minute on a disk. */
async function makeMany({ place, progress }: Bench, folder: string): Promise<void> {
  const fast = place.newFastFolder();
  const cairn = await openCairn({ path: fast });
  const trail = cairn.trail("main");
  for (let step = 0; step < CHECKPOINTS; step++) {
    await trail.commit((state) => {
      if (step === 0) state.goal = "Ship the login page";
      if (step < 20)
        state.tasks.push({
          id: String(step),
          subject: `Part ${step}`,
          status: "pending",
          owner: null,
          blocks: [],
          blocked_by: [],
        });
      const task = state.tasks[step % 20];
      if (task) task.status = step % 3 === 0 ? "completed" : "in_progress";
      state.variables["step"] = step;
    });
    if (step % 500 === 0) progress.at(step, CHECKPOINTS);
  }
  await cairn.close();
  cpSync(fast, join(folder, ".cairn"), { recursive: true });
  place.remove(fast);
}

async function makeLarge(folder: string): Promise<void> {
  const cairn = await openCairn({ path: join(folder, ".cairn") });
  const trail = cairn.trail("main");
  const message = (id: number) => ({
    id: `m${id}`,
    text: `Message ${id}: ${"lorem ipsum dolor sit amet ".repeat(37)}`,
  });
  await trail.commit((state) => {
    state["messages"] = Array.from({ length: 2000 }, (_, id) => message(id));
  });
  await trail.commit((state) => {
    (state["messages"] as unknown[]).push(message(2000));
  });
  await cairn.close();
}
