import { cpSync } from "node:fs";
import { join } from "node:path";
import { startChild } from "../children.ts";
import { increment } from "../counter.ts";
import { atMost, type Bench, type Figure } from "../figure.ts";
import type { Loaded } from "../latest-loader.ts";
import { openCairn } from "../library.ts";
import { median } from "../measure.ts";
import { bytes } from "../units.ts";

const SHORT = 1_000;
const LONG = 100_000;
const ROUNDS = 5;

export const memory: Figure = {
  name: "memory",
  title: "Peak resident memory of a process that loads the latest checkpoint",
  measure: async (bench) => {
    const stores = await build(bench);
    bench.progress.step("memory: load the latest");
    const peaks = { short: [] as number[], long: [] as number[] };
    for (let round = 1; round <= ROUNDS; round++) {
      peaks.short.push(await peakOf(stores.short, SHORT));
      peaks.long.push(await peakOf(stores.long, LONG));
      bench.progress.at(round, ROUNDS);
    }
    const [short, long] = [median(peaks.short), median(peaks.long)];
    const from = `${bytes(long)} after 100,000, ${bytes(short)} after 1,000 checkpoints`;
    return [
      atMost(
        "resident memory, latest of 100,000 checkpoints",
        long / 1e6,
        { must: 150, unit: " MB", digits: 0 },
        from,
      ),
      atMost("the same / latest of 1,000 checkpoints", long / short, { must: 1.1 }, from),
    ];
  },
};

/** Built by real commits through the public interface, but in memory where that is possible: only loading is measured. */
async function build({ place, progress }: Bench): Promise<{ short: string; long: string }> {
  progress.step("memory: building 100,000 checkpoints");
  const path = join(place.newFastFolder(), "store");
  const short = join(place.newFolder(), "store");
  const counting = async (from: number, to: number): Promise<void> => {
    const cairn = await openCairn({ path });
    const trail = cairn.trail("main", { initial: { count: 0, recent: [] as readonly string[] } });
    for (let done = from; done < to; done++) {
      await trail.commit(increment);
      progress.at(done, LONG);
    }
    await cairn.close();
  };
  await counting(0, SHORT);
  cpSync(path, short, { recursive: true });
  await counting(SHORT, LONG);
  return { short, long: path };
}

async function peakOf(path: string, expected: number): Promise<number> {
  const { count, peakBytes } = await startChild("latest-loader.ts", [path]).next<Loaded>();
  if (count !== expected) throw new Error(`The latest of ${expected} checkpoints holds ${count}.`);
  return peakBytes;
}
