// Fills a small disk with checkpoints, and looks at the store on the full disk and after making room:
// node small-disk.mjs <mounted folder>
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openCairn, type Trail } from "../../../src/doors/library/index.ts";
import { failureOf, say, type Failure } from "./say.ts";
import { advance, NO_WORK, workAt, type Work } from "./work.ts";

export interface Filled {
  readonly acknowledged: number;
  readonly failure: Failure | null;
  /** What the handle that failed, a reader and a new writer could load of it on the full disk. */
  readonly onFullDisk: readonly Loaded[];
  /** After room was made: on the handle that had failed, and after opening the store again. */
  readonly again: Failure | { readonly step: number };
  readonly afterwards: Loaded & { readonly step: number; readonly damage: number };
}

/** How many of the acknowledged checkpoints came back right; the rest were refused with these codes. */
interface Loaded {
  readonly right: number;
  readonly refused: readonly (string | null)[];
}

const MAX_COMMITS = 5_000;

const [folder = ""] = process.argv.slice(2);
const store = join(folder, "store");
const ballast = join(folder, "ballast");
writeFileSync(ballast, new Uint8Array(256 * 1024));

const hashes: string[] = [];
const cairn = await openCairn({ path: store });
const trail = cairn.trail<Work>("main", { initial: NO_WORK });
const failure = await fill().catch(failureOf);
const onFullDisk = [await loadAll(trail), await reopened(true), await reopened(false)];
rmSync(ballast);
const again = await trail
  .commit(advance)
  .then(async () => ({ step: (await trail.load()).state.step }), failureOf);
await cairn.close();

const next = await openCairn({ path: store });
const nextTrail = next.trail<Work>("main");
const loaded = await loadAll(nextTrail);
await nextTrail.commit(advance);
const { step } = (await nextTrail.load()).state;
const damage = (await next.verify()).damage.length;
await next.close();
say({
  acknowledged: hashes.length,
  failure,
  onFullDisk,
  again,
  afterwards: { ...loaded, step, damage },
} satisfies Filled);

async function fill(): Promise<null> {
  while (hashes.length < MAX_COMMITS) hashes.push((await trail.commit(advance)).content_hash);
  return null;
}

async function reopened(readOnly: boolean): Promise<Loaded> {
  try {
    const other = await openCairn({ path: store, readOnly });
    const result = await loadAll(other.trail<Work>("main"));
    await other.close();
    return result;
  } catch (error) {
    return { right: 0, refused: [failureOf(error).code] };
  }
}

async function loadAll(from: Trail<Work>): Promise<Loaded> {
  let right = 0;
  const refused: (string | null)[] = [];
  for (const [at, hash] of hashes.entries()) {
    try {
      const isRight = JSON.stringify((await from.load(hash)).state) === JSON.stringify(workAt(at + 1));
      if (isRight) right++;
      else refused.push("wrong");
    } catch (error) {
      refused.push(failureOf(error).code);
    }
  }
  return { right, refused };
}
