import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { shellWord } from "../../core/text/shell-word.ts";
import { oneLine } from "../../core/text/visible.ts";
import { count } from "../../work/state/words.ts";
import type { ChaosReport } from "./verbs.ts";

/** Writes report.md, report.json and the smallest schedules into a folder. `shown` is how the folder is named in commands. */
export function writeReport(found: ChaosReport, folder: string, shown: string): ChaosReport {
  mkdirSync(folder, { recursive: true });
  const { tier, file } = found;
  const findings = found.findings.map((finding) => {
    const name = `${finding.invariant}.json`;
    const { invariant, smallest: events } = finding;
    writeJson(join(folder, name), { schema: "cairn/chaos-schedule@1", tier, invariant, events });
    const flag = tier === "in-process" ? "" : ` --${tier}`;
    const replay = `checkpoint chaos ${shellWord(file)}${flag} --replay ${shellWord(join(shown, name))}`;
    return { ...finding, replay };
  });
  const report = { ...found, findings, report: join(shown, "report.md") };
  // As a block of code: what a workflow printed is no markup there.
  const block = reportWords(report, PLAIN).replaceAll(/^(?=.)/gm, "    ");
  writeFileSync(join(folder, "report.md"), `# Chaos: ${report.workflow}\n\n${block}\n`);
  writeJson(join(folder, "report.json"), report);
  return report;
}

function writeJson(path: string, value: object): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}

/** Removes what an earlier test left: its schedules would look like findings of this one. */
export const removeReport = (folder: string): void => rmSync(folder, { recursive: true, force: true });

const same = (text: string) => text;
const PLAIN = { bold: same, green: same, red: same };

/** The report for people, in the file without colours. */
export function reportWords(report: ChaosReport, style: typeof PLAIN): string {
  const { findings, runs, tier, seed, struck, not_tried, not_compared } = report;
  const strikes = Object.entries(struck);
  const verdict =
    findings.length === 0
      ? style.green("All invariants held.")
      : style.red(`${count(findings.length, "invariant")} broke.`);
  return [
    `${count(runs, "run")} (${tier}), seed ${seed}. ${runs === 0 ? style.red("Nothing could be tried.") : verdict}`,
    ...findings.flatMap(({ invariant, reason, smallest, first_run, runs: times, replay }) => [
      `\n${style.bold(invariant)}  broken by ${count(times, "run")}, first by run ${first_run}`,
      `  ${oneLine(reason)}`,
      ...smallest.map((event) => `  ${oneLine(event)}`),
      ...(replay === null ? [] : [`  again: ${replay}`]),
    ]),
    `\n${listed(
      "struck",
      strikes.map(([fault, times]) => `${fault} ${times}×`),
    )}`,
    ...[...Map.groupBy(not_tried, ({ reason }) => reason)].map(([reason, faults]) =>
      listed(
        `not tried (${oneLine(reason)})`,
        faults.map(({ fault }) => fault),
      ),
    ),
    ...(not_compared.length === 0
      ? []
      : [listed("always different, so not compared", not_compared.map(oneLine))]),
  ].join("\n");
}

const COLUMNS = 80;

/** A list in lines that fit a terminal. */
function listed(label: string, items: readonly string[]): string {
  let text = `${label}:`;
  for (const [index, item] of (items.length === 0 ? ["nothing"] : items).entries()) {
    const word = `${item}${index < items.length - 1 ? "," : ""}`;
    const column = text.length - text.lastIndexOf("\n") - 1;
    text += column + word.length < COLUMNS ? ` ${word}` : `\n  ${word}`;
  }
  return text;
}
