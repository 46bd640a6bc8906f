import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ledgerVerify } from "../../src/capabilities/governance/verbs/ledger.ts";
import { openProject, type Project } from "../../src/doors/library/project.ts";
import { migratePostgresStore } from "../../src/capabilities/postgres/store.ts";
import type { Acknowledged } from "../../tests/faults/programs/governed-writer.ts";
import { start } from "../../tests/faults/support/child.ts";
import { integer, randomFrom } from "../../tests/faults/support/random.ts";
import { findPostgres, startServer } from "../../tests/postgres/support/server.ts";
import { atLeast, none, number, type Part, type Row, type World } from "../support/part.ts";
import { bundleProgram, NOT_RECORDED } from "../support/programs.ts";

export const governance: Part = {
  name: "governance",
  about:
    "two agents that save in a governed project and are killed: no checkpoint without its entry, none without its checkpoint",
  proves: ["src/capabilities/governance", "src/capabilities/governance/project-gate", "src/core/store"],
  run: async (world) => {
    const programs = findPostgres();
    const file = await strike(world, { name: "in a file", trails: ["main", "main"], kills: 200 });
    return programs === undefined ? [file] : [file, await strikeShared(world, programs)];
  },
};

/** Where the agents save, each to its trail. */
interface Place {
  readonly name: string;
  readonly trails: readonly [string, string];
  readonly kills: number;
  /** The address of a store that is not in the project's folder. */
  readonly store?: (name: string) => Promise<string>;
}

/** Where each trail has a chain of its own, actions go there and wait for nobody. */
async function strikeShared(world: World, programs: string): Promise<Row> {
  const server = await startServer(programs);
  try {
    return await strike(world, {
      name: "on PostgreSQL",
      trails: ["one", "two"],
      kills: 100,
      store: async (schema) => {
        await migratePostgresStore({ url: server.url, schema });
        return `${server.url}?schema=${schema}`;
      },
    });
  } finally {
    await server.stop();
  }
}

async function strike(world: World, place: Place): Promise<Row> {
  const kills = world.isQuick ? 6 : place.kills;
  const random = randomFrom(world.seed);
  const delay = () => integer(random, 20, 700);
  const { progress } = world;
  const at = async (name: string): Promise<Scene> => ({
    home: governedHome(join(world.memory, `${name} ${place.name}`)),
    trails: place.trails,
    store: await place.store?.(name),
  });
  const [scene, broken] = [await at("governed"), await at("control")];
  const program = await bundleProgram("governed-writer", world.folder);
  const acknowledged = await killWriters(program, scene, { kills, delay, progress });
  const found = await examine(scene);
  const lost = acknowledged.filter((hash) => !found.recorded.has(hash));
  none(lost, `an acknowledged save ${place.name} without its entry`);
  none(found.problems, `a checkpoint ${place.name} and its entry that do not belong together`);
  atLeast(kills, acknowledged.length, "acknowledged saves");
  if (place.store !== undefined) atLeast(kills, found.beside, "entries in the chains of trails");
  const control = await bundleProgram("governed-writer", world.folder, [NOT_RECORDED]);
  await killWriters(control, broken, { kills: 2, delay: () => 700, progress });
  const seen = await examine(broken);
  if (seen.problems.length === 0) throw new Error("The control was not noticed.");
  const beside = place.store === undefined ? "" : `, ${number(found.beside)} entries in the chains of trails`;
  return {
    fault: `kill -9 of two agents that save in a governed project, ${place.name}`,
    count: `${number(kills)} kills, ${number(acknowledged.length)} acknowledged saves${beside}`,
    outcome: "0 saves without their entry in the ledger, 0 entries without their save, the chains are whole",
    control: `entries left out of the commit: ${number(seen.problems.length)} noticed`,
  };
}

interface Scene extends Pick<Place, "trails"> {
  readonly home: string;
  readonly store: string | undefined;
}

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
  { home, trails, store = "" }: Scene,
  { kills, delay, progress }: Killing,
): Promise<string[]> {
  const acknowledged: string[] = [];
  for (let killed = 0; killed < kills; killed++) {
    // Another name for each, because an hour's budget would end the test.
    const writers = trails.map((trail, who) =>
      start<Acknowledged>(program, [home, `agent-${who}-${killed}`, trail, store]),
    );
    await Promise.all(writers.map((writer) => writer.heard(() => true)));
    await wait(delay());
    for (const writer of writers) writer.kill("SIGKILL");
    for (const writer of writers)
      acknowledged.push(...(await writer.ended()).messages.map(({ hash }) => hash));
    progress(`${killed + 1} of ${kills} kills, ${acknowledged.length} acknowledged saves`);
  }
  return acknowledged;
}

interface Examined {
  readonly recorded: ReadonlySet<string>;
  /** How many entries are in the chains of trails. */
  readonly beside: number;
  readonly problems: readonly string[];
}

/** Compares every checkpoint of the work with the entries of the ledger, both ways. */
async function examine({ home, trails, store: CHECKPOINT_STORE }: Scene): Promise<Examined> {
  // A server may still be at what a killed process asked for last.
  await wait(1000);
  const env = { HOME: home, CHECKPOINT_STORE };
  const project: Project = openProject({ path: join(home, "project"), env });
  const { store } = await project.stores.open(project, "read", null);
  const histories = await Promise.all(trails.map((trail) => store.history(trail)));
  const saved = new Set(histories.flat().map(({ id }) => String(id)));
  const log = await store.readLog();
  const entries = log.map(({ entry }) => entry).filter(({ type }) => type === "action");
  const recorded = new Set(entries.map(({ checkpoint }) => checkpoint as string));
  const { problem } = await ledgerVerify(project, []);
  await project.stores.close();
  return {
    recorded,
    beside: log.filter(({ trail }) => trail !== undefined).length,
    problems: [
      ...[...saved].filter((hash) => !recorded.has(hash)).map((hash) => `${hash} has no entry`),
      ...[...recorded]
        .filter((hash) => !saved.has(hash))
        .map((hash) => `the entry of ${hash} has no checkpoint`),
      ...(problem === undefined ? [] : [`entry ${problem.entry}: ${problem.what}`]),
    ],
  };
}
