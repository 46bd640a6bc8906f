import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { atMost, info, type Bench, type Figure, type Row } from "../figure.ts";
import { readText } from "../corpus.ts";
import { bytesIn } from "../folders.ts";
import { openCairn } from "../library.ts";
import { growthExponent, Samples } from "../measure.ts";
import { bytes, timeAndCpu } from "../units.ts";

/** Trails of 500 checkpoints each: more of them, not longer ones, or each checkpoint would be larger too. */
const STEPS = 500;
const SIZES = [25_000, 50_000, 100_000];
/** A checkout of an older version, built: then both are measured in one run. CAIRN_BENCH_OLDER=… npm run bench -- verify */
const OLDER = process.env["CAIRN_BENCH_OLDER"];

export const verify: Figure = {
  name: "verify",
  title: `Verifying stores of trails that add a message in each of ${STEPS} steps, written in turn`,
  measure: async (bench) => {
    const points: { steps: number; bytes: number }[] = [];
    const rows: Row[] = [];
    for (const size of SIZES) {
      const { verifying, stored, older } = await measureSize(bench, size);
      points.push({ steps: size, bytes: verifying.cpuP50 });
      rows.push(
        ...older,
        info(
          `${size.toLocaleString("en")} checkpoints, ${bytes(stored)}`,
          `${(verifying.cpuP50 / size).toFixed(0)} µs CPU a checkpoint`,
          timeAndCpu(verifying),
        ),
      );
    }
    const exponent = atMost(
      "growth exponent of CPU, 25,000 to 100,000 checkpoints",
      growthExponent(points),
      { must: 1.1, aim: 1 },
      "1 is a line",
    );
    return [...rows, exponent];
  },
};

async function measureSize(
  { corpus, place, progress }: Bench,
  size: number,
): Promise<{ readonly verifying: Samples; readonly stored: number; readonly older: readonly Row[] }> {
  const path = place.newFastFolder();
  const cairn = await openCairn({ path });
  const text = readText(corpus, 90, 17);
  const trails = Array.from({ length: size / STEPS }, (_, at) =>
    cairn.trail<{ messages: string[] }>(`run/${at}`, { initial: { messages: [] } }),
  );
  progress.step(`verify, ${size} checkpoints`);
  for (let step = 0; step < STEPS; step++) {
    // In turn, and all before the next step, as agents that work at the same time do.
    await Promise.all(trails.map((trail) => trail.commit((state) => void state.messages.push(text(90)))));
    progress.at(step, STEPS);
  }
  const verifying = new Samples();
  for (let round = 0; round < 3; round++) {
    const { damage, checkpoints } = await verifying.time(() => cairn.store.verify());
    if (damage.length > 0 || checkpoints !== size)
      throw new Error(`verify found ${checkpoints} checkpoints and ${damage.length} kinds of damage.`);
  }
  await cairn.close();
  const stored = bytesIn(path);
  const older = OLDER !== undefined && size === SIZES[0] ? await besideOlder(path, OLDER) : [];
  place.remove(path);
  return { verifying, stored, older };
}

/** Both builds on copies of one store: verifying it, and sweeping after one trail was removed. */
async function besideOlder(path: string, older: string): Promise<Row[]> {
  const verifying = [new Samples(), new Samples()] as const;
  const sweeping = [new Samples(), new Samples()] as const;
  for (const [at, open] of [openCairn, await libraryOf(older)].entries()) {
    const copy = `${path}-copy`;
    cpSync(path, copy, { recursive: true });
    const cairn = await open({ path: copy });
    for (let round = 0; round < 3; round++) await verifying[at]?.time(() => cairn.store.verify());
    await cairn.store.remove({ trails: ["run/20"] });
    await sweeping[at]?.time(() => cairn.store.sweep());
    await cairn.close();
    rmSync(copy, { recursive: true });
  }
  const ratio = (what: string, [now, then]: readonly [Samples, Samples], must: number) =>
    atMost(
      `${what}, CPU / the older build`,
      now.cpuP50 / then.cpuP50,
      { must },
      `${timeAndCpu(now)} / ${timeAndCpu(then)}`,
    );
  return [ratio("verify", verifying, 0.5), ratio("sweep", sweeping, 0.35)];
}

async function libraryOf(checkout: string): Promise<typeof openCairn> {
  const built = pathToFileURL(join(checkout, "dist/doors/library/index.js")).href;
  return ((await import(built)) as { openCairn: typeof openCairn }).openCairn;
}
