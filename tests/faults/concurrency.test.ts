import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

import { openCairn, type Trail } from "../../src/index.ts";
import type { Claim } from "./programs/contender.ts";
import type { Upkeep } from "./programs/keeper.ts";
import { workAt, type Work } from "./programs/work.ts";
import { start } from "./support/child.ts";
import { useFolders } from "./support/folders.ts";
import { bundle } from "./support/program.ts";
import { report, scaled, TIMEOUT_MS } from "./support/scale.ts";

const PROCESSES = 8;
const COMMITS_EACH = scaled(30, 250);
const OWN = Array.from({ length: PROCESSES }, (_, at) => `own/${at}`);

const folders = useFolders();

describe("many processes on one store", () => {
  it(
    "lose nothing and never fail, on one trail and on their own, while others prune, sweep and verify",
    async () => {
      const [contender, keeper] = ["contender", "keeper"].map((name) => bundle(name, folders.onDisk())) as [string, string];
      const folder = join(folders.onDisk(), "store");
      const keepers = ["prune", "sweep", "verify"].map((role) => start<Upkeep>(keeper, [folder, role], { timeoutMs: TIMEOUT_MS }));
      const writers = OWN.map((own) => start<Claim>(contender, [folder, own, String(COMMITS_EACH)], { timeoutMs: TIMEOUT_MS }));
      const claims = (await Promise.all(writers.map((writer) => writer.ended()))).flatMap(({ messages }) => messages);
      writeFileSync(join(folder, "stop"), "");
      const upkeep = (await Promise.all(keepers.map((child) => child.ended()))).map(({ messages }) => messages[0]);

      expect(claims.filter((claim) => "failure" in claim)).toEqual([]);
      expect(claims).toHaveLength(2 * PROCESSES * COMMITS_EACH);
      expect(upkeep).toEqual(Array.from({ length: 3 }, () => expect.objectContaining({ damage: [] })));
      // Upkeep that never came to delete anything would have disturbed nobody.
      const [pruned, swept, verified] = upkeep as Extract<Upkeep, { rounds: number }>[];
      expect(Math.min(pruned?.rounds ?? 0, swept?.rounds ?? 0, verified?.rounds ?? 0)).toBeGreaterThanOrEqual(2);
      expect(pruned?.deleted).toBeGreaterThan(0);
      await checkClaims(folder, claims as Exclude<Claim, { failure: unknown }>[]);
      report(
        `${PROCESSES} processes, ${claims.length} commits: 0 lost, 0 errors, beside ${pruned?.rounds} prunes, ${swept?.rounds} sweeps and ${verified?.rounds} verifications`,
      );
    },
    TIMEOUT_MS,
  );
});

async function checkClaims(folder: string, claims: readonly Exclude<Claim, { failure: unknown }>[]): Promise<void> {
  const cairn = await openCairn({ path: folder });
  for (const { trail, step, hash } of claims) {
    expect((await cairn.trail<Work>(trail).load(hash)).state).toEqual(workAt(step));
  }
  await checkTrail(cairn.trail<Work>("shared"), PROCESSES * COMMITS_EACH);
  for (const own of OWN) await checkTrail(cairn.trail<Work>(own), COMMITS_EACH);
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
