import { incompressibleText } from "../corpus.ts";
import { atMost, info, type Bench, type Figure, type Row } from "../figure.ts";
import { bytesIn } from "../folders.ts";
import { openCairn } from "../library.ts";
import { growthExponent } from "../measure.ts";
import { buildStore, type BuiltStore } from "../stores.ts";
import { bytes } from "../units.ts";
import { appending } from "../workloads.ts";

const GROWTH_STEPS = [100, 200, 400, 800, 1400];

export const size: Figure = {
  name: "size",
  title: "Bytes on disk, after close, every file of the store counted",
  measure: async (bench) => {
    const built = async (name: "A" | "B" | "C" | "D"): Promise<BuiltStore> => {
      bench.progress.step(`size of workload ${name}`);
      return bench.stores.get(name, bench.progress.at);
    };
    const [a, b, c, d] = [await built("A"), await built("B"), await built("C"), await built("D")];
    return [
      atMost("A, whole store / new data", a.storedBytes / a.newBytes, { must: 1.6, aim: 1.2 }, sizes(a)),
      atMost("B, whole store / new data", b.storedBytes / b.newBytes, { must: 1.6, aim: 1.2 }, sizes(b)),
      atMost("C, per step", c.storedBytes / c.steps / 1000, { must: 1.2, aim: 0.5, unit: " KB" }, sizes(c)),
      atMost("D, whole store / unique bytes", d.storedBytes / d.newBytes, { must: 0.6, aim: 0.45 }, sizes(d)),
      info(
        "D, whole store / bytes of distinct values",
        (d.storedBytes / d.distinctBytes).toFixed(2),
        `an edited result counted whole: ${bytes(d.distinctBytes)}`,
      ),
      await growth(bench, a),
      await withoutCompression(bench),
      await records(bench),
    ];
  },
};

/** A store of its own for each point, because a size is only true after close. */
async function growth({ corpus, place, progress }: Bench, whole: BuiltStore): Promise<Row> {
  progress.step("growth of workload A");
  const points = [{ steps: whole.steps, bytes: whole.storedBytes }];
  for (const steps of GROWTH_STEPS) {
    const folder = place.newFolder();
    const { storedBytes } = await buildStore(appending(corpus), { steps, folder, onStep: progress.at });
    points.push({ steps, bytes: storedBytes });
    place.remove(folder);
  }
  points.sort((one, other) => one.steps - other.steps);
  const from = points.map((point) => `${point.steps}: ${bytes(point.bytes)}`).join(", ");
  return atMost(
    "A, growth exponent of bytes, 100 to 2,000 steps",
    growthExponent(points),
    { must: 1.05, aim: 1, digits: 3 },
    from,
  );
}

async function withoutCompression({ corpus, place, progress }: Bench): Promise<Row> {
  progress.step("size of workload A with text that does not compress");
  const folder = place.newFolder();
  const workload = appending(corpus, incompressibleText(50));
  const store = await buildStore(workload, { steps: 2000, folder, onStep: progress.at });
  place.remove(folder);
  const ratio = (store.storedBytes / store.newBytes).toFixed(2);
  return info("A with random letters instead of text, whole store / new data", ratio, sizes(store));
}

const RECORDS = 1000;
const RECORD_BYTES = 661;

/** As large as one pending write of an agent framework. */
async function records({ place }: Bench): Promise<Row> {
  const folder = place.newFolder();
  const stored = async (count: number) => {
    const cairn = await openCairn({ path: folder });
    const { content_hash } = await cairn.trail<object>("main", { initial: {} }).commit(() => ({}));
    const value = (at: number) => Buffer.alloc(RECORD_BYTES, String(at));
    const attached = Array.from({ length: count }, (_, at) => [`write/${at}`, value(at)] as const);
    await cairn.store.attach(content_hash, new Map(attached));
    await cairn.close();
    return bytesIn(folder);
  };
  const empty = await stored(0);
  const each = ((await stored(RECORDS)) - empty) / RECORDS;
  place.remove(folder);
  return info(`a record of ${RECORD_BYTES} bytes, in the store`, bytes(each), `${RECORDS} of one checkpoint`);
}

function sizes(store: BuiltStore): string {
  return `${bytes(store.storedBytes)} for ${store.steps} steps, ${bytes(store.newBytes)} new`;
}
