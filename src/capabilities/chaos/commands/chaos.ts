import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { EXIT_STATUS } from "../../../core/errors.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { keepProjectOutOfGit } from "../../../work/machine/folders.ts";
import { interruptibleWait } from "../../../work/terminal/interruptible-wait.ts";
import type { Output } from "../../../work/terminal/output.ts";
import { count } from "../../../work/state/words.ts";
import { chaos as runChaos } from "../chaos.ts";
import { LIFE_VARIABLE, oneLife, wake } from "../one-life.ts";
import { processTier } from "../process-tier.ts";
import { readChaosFile } from "../chaos-file.ts";
import { readSchedule } from "../read-schedule.ts";
import { writeReport, type WrittenReport } from "../report.ts";
import type { ChaosCommand } from "../verbs.ts";

/** As seen from the bundle in dist/cli. */
const LAUNCHER = join(import.meta.dirname, "../../bin/checkpoint.js");
const PROCESS_RUNS = 20;

export const chaos: ChaosCommand = async (
  context,
  { file, runs, seed, processes, replay, report },
  output,
) => {
  const { project, cwd, env, now } = context;
  const { pid, host, kill, userId, onExit } = context.machine;
  const life = env[LIFE_VARIABLE];
  if (life !== undefined) {
    const test = await readChaosFile(file, { cwd, root: project.root });
    return oneLife(test, life, { env, now, pid, host, kill }, (word) => output.raw(`${word}\n`));
  }
  const replayed = replay === undefined ? undefined : readSchedule(resolve(cwd, replay), replay);
  const test = await readChaosFile(file, { cwd, root: project.root });
  const { signal } = interruptibleWait(context);
  const args = [LAUNCHER, "chaos", "--no-input", "--", file];
  const runner = { program: context.runtime.executable, args, cwd, env, userId, wake, onExit };
  const found = await runChaos(project, test, {
    ...(processes && { tier: processTier(runner) }),
    runs: runs ?? (processes ? PROCESS_RUNS : undefined),
    seed,
    replay: replayed,
    signal,
    onProgress: (done, all) => output.progress(`Run ${done} of ${all}`),
  });
  if (report === undefined && replay === undefined) keepProjectOutOfGit(project.root);
  const shown = report ?? `.cairn/chaos/${found.workflow}`;
  const folder = report === undefined ? join(project.folder, "chaos", found.workflow) : resolve(cwd, report);
  // Ours: schedules of an earlier report would look like findings of this one.
  if (report === undefined && replay === undefined) rmSync(folder, { recursive: true, force: true });
  const written =
    replay === undefined
      ? writeReport(found, folder, shown)
      : { ...found, findings: found.findings.map((finding) => ({ ...finding, replay: null })), report: null };
  output.result(written, () => words(written, output));
  if (signal.aborted) {
    output.message("Interrupted: the report is about the runs until then.");
    return EXIT_STATUS.interrupted;
  }
  return written.findings.length === 0 ? 0 : 1;
};

function words(
  { findings, runs, struck, not_tried, not_compared, seed, report }: WrittenReport,
  { style }: Output,
): string {
  const strikes = Object.values(struck).reduce((sum, each) => sum + each, 0);
  const verdict =
    findings.length === 0
      ? style.green("All invariants held.")
      : style.red(`${count(findings.length, "invariant")} broke.`);
  return [
    `${count(runs, "run")}, ${count(strikes, "strike")}, seed ${seed}. ${verdict}`,
    ...findings.flatMap(({ invariant, reason, smallest, first_run, replay }) => [
      "",
      `${style.bold(invariant)}  first broken by run ${first_run}`,
      `  ${oneLine(reason)}`,
      ...smallest.map((event) => `  ${style.cyan(event)}`),
      ...(replay === null ? [] : [`  again: ${replay}`]),
    ]),
    ...(findings.length > 0 && not_tried.length + not_compared.length > 0 ? [""] : []),
    ...[...Map.groupBy(not_tried, ({ reason }) => reason)].map(
      ([reason, faults]) => `not tried: ${faults.map(({ fault }) => fault).join(", ")} (${reason})`,
    ),
    ...not_compared.map(
      (name) => `not compared: ${oneLine(name)}  it is different each time even without faults`,
    ),
    ...(report === null ? [] : [`The report: ${report}`]),
  ].join("\n");
}
