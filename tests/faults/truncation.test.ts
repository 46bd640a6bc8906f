import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

import { isCheckpointError, openCairn } from "../../src/doors/library/index.ts";
import { advance, NO_WORK, workAt, type Work } from "./programs/work.ts";
import { useFolders } from "./support/folders.ts";
import { integer, randomFrom, seed } from "./support/random.ts";
import { report, scaled, TIMEOUT_MS } from "./support/scale.ts";

const STEPS = 12;

/** Around the ends of SQLite's header and of pages. */
const EDGES = [2, 15, 16, 99, 100, 511, 512, 1023, 1024, 2047, 2048, 4095, 4096];

const folders = useFolders();

describe(`a store whose file was cut short (seed ${seed})`, () => {
  it(
    "answers right or names the damage, at every length, and never takes the rest for a new store",
    async () => {
      const { bytes, hashes } = await build();
      const random = randomFrom(seed);
      const anywhere = Array.from({ length: scaled(30, 1000) }, () => integer(random, 2, bytes.length - 1));
      const lengths = [...EDGES, bytes.length - 1, ...anywhere];
      let refused = 0;
      for (const length of lengths) {
        const folder = copyOf(bytes.subarray(0, length));
        refused += await questionAll(folder, hashes);
      }
      // Half a file that answered everything would mean that nothing was cut off. One that is refused as a whole counts once.
      expect(refused).toBeGreaterThanOrEqual(lengths.length);
      report(
        `${lengths.length} truncations: ${refused} named errors, 0 wrong answers`,
        "the store's file is cut short",
      );
    },
    TIMEOUT_MS,
  );

  // SQLite counts a file of one byte as empty.
  it.each([0, 1])(
    "takes a file of %i bytes for a store that was about to be made: a crash leaves one",
    async (length) => {
      const folder = copyOf(new Uint8Array(length));
      const cairn = await openCairn({ path: folder });
      expect(await cairn.trails()).toEqual([]);
      await cairn.trail<Work>("main", { initial: NO_WORK }).commit(advance);
      expect((await cairn.trail<Work>("main").load()).state).toEqual(workAt(1));
      await cairn.close();
    },
  );
});

async function build(): Promise<{ bytes: Uint8Array; hashes: string[] }> {
  const folder = folders.inMemory();
  const cairn = await openCairn({ path: folder });
  const trail = cairn.trail<Work>("main", { initial: NO_WORK });
  const hashes: string[] = [];
  for (let step = 0; step < STEPS; step++) hashes.push((await trail.commit(advance)).content_hash);
  await cairn.close();
  return { bytes: readFileSync(join(folder, "store.sqlite")), hashes };
}

function copyOf(bytes: Uint8Array): string {
  const folder = join(folders.inMemory(), "store");
  mkdirSync(folder, { mode: 0o700 });
  writeFileSync(join(folder, "store.sqlite"), bytes, { mode: 0o600 });
  return folder;
}

/** Loads everything. Counts the named errors; throws on a wrong answer or an error that nobody named. */
async function questionAll(folder: string, hashes: readonly string[]): Promise<number> {
  let refused = 0;
  const settle = async (work: () => Promise<void>) => {
    await work().catch((error: unknown) => {
      if (!isCheckpointError(error)) throw error;
      refused++;
    });
  };
  await settle(async () => {
    const cairn = await openCairn({ path: folder });
    const trail = cairn.trail<Work>("main");
    await settle(async () => expect((await trail.load()).state).toEqual(workAt(STEPS)));
    for (const [at, hash] of hashes.entries()) {
      await settle(async () => expect((await trail.load(hash)).state).toEqual(workAt(at + 1)));
    }
    await settle(async () => expect(await trail.history()).toHaveLength(STEPS));
    await cairn.close();
  });
  return refused;
}
