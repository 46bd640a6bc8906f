import { atMost, type Bench, type Figure, type Row } from "../figure.ts";
import { openCairn } from "../library.ts";
import { percentile, Samples } from "../measure.ts";
import type { WorkloadName } from "../stores.ts";
import { timeAndCpu } from "../units.ts";

/** Every 13th pair of neighbours, so that B's trims and edits are met as often as they happen. */
const STRIDE = 13;

export const diff: Figure = {
  name: "diff",
  title: "Diff of neighbouring checkpoints: objects read",
  measure: async (bench) => [
    await neighbours(bench, "A"),
    await neighbours(bench, "B"),
    await neighbours(bench, "C"),
  ],
};

async function neighbours({ stores, progress }: Bench, name: WorkloadName): Promise<Row> {
  progress.step(`diff of neighbours, ${name}`);
  const { path, ids } = await stores.get(name, progress.at);
  const cairn = await openCairn({ path });
  const trail = cairn.trail<object>("main", { initial: {} });
  const times = new Samples();
  const reads: number[] = [];
  for (let at = 1; at < ids.length; at += STRIDE) {
    const { changes, objectsRead } = await times.time(() =>
      trail.diff(ids[at - 1] as string, ids[at] as string),
    );
    if (changes.length === 0) throw new Error(`Step ${at} of ${name} shows no change.`);
    reads.push(objectsRead);
    progress.at(at, ids.length);
  }
  await cairn.close();
  const p95 = percentile(reads, 0.95);
  const from = `p50 ${percentile(reads, 0.5)}, worst ${Math.max(...reads)} of ${reads.length} pairs; ${timeAndCpu(times)}`;
  return atMost(`objects read, ${name}, p95`, p95, { must: 12, digits: 0 }, from);
}
