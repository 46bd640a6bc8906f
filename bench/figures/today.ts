import { info, type Bench, type Figure, type Row } from "../figure.ts";
import { bytesIn } from "../folders.ts";
import { openCairn } from "../library.ts";
import { Samples } from "../measure.ts";
import { filePerCheckpoint } from "../today/file-per-checkpoint.ts";
import { gitCommit, hasGit } from "../today/git-commit.ts";
import type { Habit } from "../today/habit.ts";
import { rewrittenFile } from "../today/rewritten-file.ts";
import { bytes, time, timeAndCpu } from "../units.ts";
import { appending, changingTasks, type Workload } from "../workloads.ts";

const STEPS = 2000;
/** What people do today is measured at every 20th step: at all of them A would take minutes and gigabytes. */
const STRIDE = 20;

export const today: Figure = {
  name: "today",
  title: `What people do today, beside Cairn in its default mode: every ${STRIDE}th of ${STEPS} steps, all in turn`,
  measure: async (bench) => [
    ...(await compare(bench, "A", appending(bench.corpus))),
    ...(await compare(bench, "C", changingTasks(bench.corpus))),
  ],
};

async function compare({ place, progress }: Bench, name: string, workload: Workload<object>): Promise<Row[]> {
  progress.step(`today, workload ${name}`);
  const folder = place.newFolder();
  const habits = openHabits(() => place.newFolder());
  const samples = new Map<Habit, Samples>(habits.map((habit) => [habit, new Samples()]));
  const cairn = await openCairn({ path: folder });
  const trail = cairn.trail<object>("main", { initial: {} });
  const ours = new Samples();
  let step = 0;
  for (const { state } of workload(STEPS)) {
    step++;
    if (step % STRIDE !== 0) {
      await trail.commit(state);
      continue;
    }
    await ours.time(() => trail.commit(state));
    for (const [habit, times] of samples) await times.time(() => habit.save(state));
    progress.at(step, STEPS);
  }
  await cairn.close();
  const stored = bytesIn(folder);
  return [
    info(
      `${name}, Cairn`,
      `${bytes(stored)}, ${time(ours.p50)}`,
      `${timeAndCpu(ours)}; ${STEPS} checkpoints, really stored`,
    ),
    ...habits.map((habit) => row(name, habit, samples.get(habit) as Samples, { stored, p50: ours.p50 })),
  ];
}

function openHabits(newFolder: () => string): Habit[] {
  return [
    rewrittenFile(newFolder()),
    filePerCheckpoint(newFolder()),
    ...(hasGit() ? [gitCommit(newFolder())] : []),
  ];
}

/** Bytes of histories are what was written times the stride; the states between grow evenly. A rewritten file has no history. */
function row(workload: string, habit: Habit, samples: Samples, ours: { stored: number; p50: number }): Row {
  const scale = habit.keepsHistory ? STRIDE : 1;
  const stored = habit.bytes() * scale;
  const times = `${(stored / ours.stored).toPrecision(3)} × the bytes, ${(samples.p50 / ours.p50).toPrecision(3)} × the time`;
  const how = habit.keepsHistory
    ? `bytes of ${samples.wall.length} checkpoints × ${STRIDE}`
    : "keeps only the last state";
  return info(
    `${workload}, ${habit.name}`,
    `${bytes(stored)}, ${time(samples.p50)}`,
    `${timeAndCpu(samples)}; ${times}; ${how}`,
  );
}
