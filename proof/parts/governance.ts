import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ledgerVerify } from "../../src/project/governance/ledger.ts";
import { openProject, type Project } from "../../src/project/index.ts";
import type { Acknowledged } from "../../tests/faults/programs/governed-writer.ts";
import { start } from "../../tests/faults/support/child.ts";
import { integer, randomFrom } from "../../tests/faults/support/random.ts";
import { atLeast, none, number, type Part } from "../support/part.ts";
import { bundleProgram, NOT_RECORDED } from "../support/programs.ts";

export const governance: Part = {
  name: "governance",
  about:
    "two agents that save in a governed project and are killed: no checkpoint without its entry, none without its checkpoint",
  run: async (world) => {
    const kills = world.isQuick ? 6 : 200;
    const random = randomFrom(world.seed);
    const delay = () => integer(random, 20, 700);
    const program = await bundleProgram("governed-writer", world.folder);
    const home = governedHome(join(world.memory, "governed"));
    const acknowledged = await killWriters(program, home, { kills, delay, progress: world.progress });
    const found = await examine(home);
    const lost = acknowledged.filter((hash) => !found.recorded.has(hash));
    none(lost, "an acknowledged save without its entry");
    none(found.problems, "a checkpoint and its entry that do not belong together");
    atLeast(kills, acknowledged.length, "acknowledged saves");
    const control = await bundleProgram("governed-writer", world.folder, [NOT_RECORDED]);
    const broken = governedHome(join(world.memory, "control"));
    await killWriters(control, broken, { kills: 2, delay: () => 700, progress: world.progress });
    const seen = await examine(broken);
    if (seen.problems.length === 0) throw new Error("The control was not noticed.");
    return [
      {
        fault: "kill -9 of two agents that save in a governed project",
        count: `${number(kills)} kills, ${number(acknowledged.length)} acknowledged saves`,
        outcome:
          "0 saves without their entry in the ledger, 0 entries without their save, the chain is whole",
        control: `entries left out of the commit: ${number(seen.problems.length)} noticed`,
      },
    ];
  },
};

function governedHome(home: string): string {
  mkdirSync(join(home, "project"), { recursive: true });
  writeFileSync(join(home, "project/cairn.yaml"), "governance: on\n");
  return home;
}

interface Killing {
  readonly kills: number;
  readonly delay: () => number;
  readonly progress: (text: string) => void;
}

async function killWriters(
  program: string,
  home: string,
  { kills, delay, progress }: Killing,
): Promise<string[]> {
  const acknowledged: string[] = [];
  for (let killed = 0; killed < kills; killed++) {
    // Another name for each, because an hour's budget would end the test.
    const writers = [`a${killed}`, `b${killed}`].map((agent) => start<Acknowledged>(program, [home, agent]));
    await Promise.all(writers.map((writer) => writer.heard(() => true)));
    await wait(delay());
    for (const writer of writers) writer.kill("SIGKILL");
    for (const writer of writers)
      acknowledged.push(...(await writer.ended()).messages.map(({ hash }) => hash));
    progress(`${killed + 1} of ${kills} kills, ${acknowledged.length} acknowledged saves`);
  }
  return acknowledged;
}

/** Compares every checkpoint of the work with the entries of the ledger, both ways. */
async function examine(home: string): Promise<{ recorded: ReadonlySet<string>; problems: string[] }> {
  const project: Project = openProject({ path: join(home, "project"), env: { HOME: home } });
  const { store } = await project.stores.open(project, "read", null);
  const saved = new Set((await store.history("main")).map(({ id }) => String(id)));
  const entries = (await store.readLog()).map(({ entry }) => entry).filter(({ type }) => type === "action");
  const recorded = new Set(entries.map(({ checkpoint }) => checkpoint as string));
  const { problem } = await ledgerVerify(project, []);
  await project.stores.close();
  return {
    recorded,
    problems: [
      ...[...saved].filter((hash) => !recorded.has(hash)).map((hash) => `${hash} has no entry`),
      ...[...recorded]
        .filter((hash) => !saved.has(hash))
        .map((hash) => `the entry of ${hash} has no checkpoint`),
      ...(problem === undefined ? [] : [`entry ${problem.entry}: ${problem.what}`]),
    ],
  };
}
