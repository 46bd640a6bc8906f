import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";

import { openCairn, type Trail } from "../../src/doors/library/index.ts";
import { openSqliteStore } from "../../src/core/store/sqlite.ts";
import type { Claim } from "./programs/contender.ts";
import type { Upkeep } from "./programs/keeper.ts";
import { workAt, type Work } from "./programs/work.ts";
import { start } from "./support/child.ts";
import { useFolders } from "./support/folders.ts";
import { bundle } from "./support/program.ts";
import { report, scaled, TIMEOUT_MS } from "./support/scale.ts";

const PROCESSES = scaled(4, 8);
const COMMITS_EACH = scaled(40, 100);
const OWN = Array.from({ length: PROCESSES }, (_, at) => `own/${at}`);

const PATIENT = { timeoutMs: TIMEOUT_MS };

type Done = Extract<Upkeep, { rounds: number }>;
type Made = Exclude<Claim, { failure: unknown }>;

const folders = useFolders();
const contender = bundle("contender", folders.onDisk());

describe("many processes on one store", () => {
  it(
    "lose nothing and never fail, on one trail and on their own, while others prune, sweep and verify",
    async () => {
      const folder = join(folders.onDisk(), "store");
      const program = bundle("keeper", folders.onDisk());
      const keepers = ["prune", "sweep", "verify"].map((role) =>
        start<Upkeep>(program, [folder, role], PATIENT),
      );
      const claims = await contend(folder, COMMITS_EACH);
      writeFileSync(join(folder, "stop"), "");
      const upkeep = (await Promise.all(keepers.map((child) => child.ended()))).map(
        ({ messages }) => messages[0],
      );
      expect(upkeep).toEqual(
        Array.from({ length: 3 }, () => expect.objectContaining({ damage: [] }) as Upkeep),
      );
      // Upkeep that never came to delete anything would have disturbed nobody.
      const [pruned, swept, verified] = upkeep as [Done, Done, Done];
      expect(Math.min(pruned.rounds, swept.rounds, verified.rounds)).toBeGreaterThanOrEqual(2);
      expect(pruned.deleted).toBeGreaterThan(0);
      expect(claims).toHaveLength(2 * PROCESSES * COMMITS_EACH);
      await checkClaims(folder, claims, COMMITS_EACH);
      const beside = `${pruned.rounds} prunes, ${swept.rounds} sweeps, ${verified.rounds} verifications`;
      report(
        `${PROCESSES} processes, ${claims.length} commits beside ${beside}: 0 lost, 0 errors`,
        "several processes commit to one store while others prune, sweep and verify it",
      );
    },
    TIMEOUT_MS,
  );

  it(
    "never fail when all of them make the store at the same moment",
    async () => {
      const rounds = scaled(1, 60);
      for (let round = 0; round < rounds; round++) {
        const folder = join(folders.inMemory(), "store");
        expect(await contend(folder, 1)).toHaveLength(2 * PROCESSES);
      }
      report(
        `${rounds} stores, each made by ${PROCESSES} processes at once: 0 errors`,
        "several processes make the same store at the same moment",
      );
    },
    TIMEOUT_MS,
  );

  it("waits for one that is making the store", async () => {
    const path = join(folders.inMemory(), "store.sqlite");
    writeFileSync(path, "", { mode: 0o600 });
    const maker = new DatabaseSync(path);
    maker.exec("BEGIN EXCLUSIVE; CREATE TABLE made (id INTEGER); DROP TABLE made");
    const opened = openSqliteStore({ path });
    // The first attempt has met the lock by now.
    await setImmediate();
    maker.exec("ROLLBACK");
    maker.close();
    const store = await opened;
    expect(store.durability).toBe("durable");
    await store.close();
  });

  it(
    "lose nothing and never fail when each opens and closes the store for every commit, as commands do",
    async () => {
      const folder = join(folders.onDisk(), "store");
      const count = scaled(3, 40);
      const claims = await contend(folder, count, "reopen");
      expect(claims).toHaveLength(2 * PROCESSES * count);
      await checkClaims(folder, claims, count);
      report(
        `${PROCESSES} processes, ${claims.length} commits, opening and closing each time: 0 lost, 0 errors`,
        "several processes open the store, commit and close it, over and over",
      );
    },
    TIMEOUT_MS,
  );

  it(
    "never overwrite each other with whole states: who was too late is told, and starts from the newest",
    async () => {
      const folder = join(folders.onDisk(), "store");
      const count = scaled(4, 40);
      const claims = await contend(folder, count, "whole");
      expect(claims).toHaveLength(2 * PROCESSES * count);
      await checkClaims(folder, claims, count);
      const conflicts = claims.reduce((sum, claim) => sum + claim.conflicts, 0);
      expect(conflicts).toBeGreaterThan(0);
      report(
        `${PROCESSES} processes, ${claims.length} whole states: ${conflicts} conflicts told, 0 lost`,
        "several processes save whole states to one trail",
      );
    },
    TIMEOUT_MS,
  );
});

/** Lets all contenders go at once, on a store that nobody has made yet. */
async function contend(folder: string, count: number, ...mode: readonly string[]): Promise<Made[]> {
  const writers = OWN.map((own) => start<Claim>(contender, [folder, own, String(count), ...mode], PATIENT));
  const ended = await Promise.all(writers.map((writer) => writer.ended()));
  const claims = ended.flatMap(({ messages }) => messages);
  expect(claims.filter((claim) => "failure" in claim)).toEqual([]);
  return claims as Made[];
}

async function checkClaims(folder: string, claims: readonly Made[], count: number): Promise<void> {
  const cairn = await openCairn({ path: folder });
  for (const { trail, step, hash } of claims) {
    expect((await cairn.trail<Work>(trail).load(hash)).state).toEqual(workAt(step));
  }
  await checkTrail(cairn.trail<Work>("shared"), PROCESSES * count);
  for (const own of OWN) await checkTrail(cairn.trail<Work>(own), count);
  expect((await cairn.verify()).damage).toEqual([]);
  await cairn.close();
}

/** The counter in the state and the chain of checkpoints say the same. */
async function checkTrail(trail: Trail<Work>, commits: number): Promise<void> {
  const { state } = await trail.load();
  expect(state).toEqual(workAt(commits));
  const history = await trail.history();
  expect(history).toHaveLength(commits);
  const parents = history.map(({ parent_hash }) => parent_hash);
  expect(parents).toEqual([...history.slice(1).map(({ content_hash }) => content_hash), null]);
}
