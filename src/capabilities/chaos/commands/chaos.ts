import { join, resolve } from "node:path";
import { EXIT_STATUS } from "../../../core/errors.ts";
import { keepProjectOutOfGit } from "../../../work/machine/folders.ts";
import { interruptibleWait } from "../../../work/terminal/interruptible-wait.ts";
import { chaos as runChaos } from "../chaos.ts";
import { readChaosFile } from "../chaos-file.ts";
import { LIFE_VARIABLE, type LifeSpec, oneLife } from "../one-life.ts";
import { inProcesses } from "../processes.ts";
import { removeReport, reportWords, writeReport } from "../report.ts";
import { readSchedule } from "../schedule.ts";
import type { ChaosCommand } from "../verbs.ts";

/** As seen from the bundle in dist/cli. */
const LAUNCHER = join(import.meta.dirname, "../../bin/checkpoint.js");
const PROCESS_RUNS = 20;

export const chaos: ChaosCommand = async (
  context,
  { file, runs, seed, processes, workers, replay, report },
  output,
) => {
  const { project, cwd, env } = context;
  const { signal } = interruptibleWait(context);
  const life = env[LIFE_VARIABLE];
  if (life !== undefined) {
    const test = await readChaosFile(file, { cwd, root: project.root });
    const tell = (word: string) => output.raw(`${word}\n`);
    return oneLife(project, test, JSON.parse(life) as LifeSpec, { tell, drain: signal });
  }
  const replayed = replay === undefined ? undefined : readSchedule(resolve(cwd, replay), replay);
  const test = await readChaosFile(file, { cwd, root: project.root });
  const args = [LAUNCHER, "chaos", "--no-input", "--", file];
  const program = { program: context.runtime.executable, args, cwd };
  const isApart = processes || workers;
  const found = await runChaos(project, test, {
    ...(isApart && { tier: await inProcesses(project, program, { onWorkers: workers }) }),
    runs: runs ?? (isApart ? PROCESS_RUNS : undefined),
    seed,
    replay: replayed,
    signal,
    onProgress: (done, all) => output.progress(`Run ${done} of ${all}`),
  });
  let written = found;
  if (report !== undefined) written = writeReport(found, resolve(cwd, report), report);
  else if (replay === undefined) {
    keepProjectOutOfGit(project.root);
    const folder = join("chaos", found.workflow);
    removeReport(join(project.folder, folder));
    written = writeReport(found, join(project.folder, folder), join(".cairn", folder));
  }
  output.result(written, () => reportWords(written, output.style));
  if (written.report !== null) output.message(`The report: ${written.report}`);
  if (signal.aborted) {
    output.message("Interrupted: the report is about the runs until then.");
    return EXIT_STATUS.interrupted;
  }
  return written.findings.length === 0 && written.runs > 0 ? 0 : 1;
};
