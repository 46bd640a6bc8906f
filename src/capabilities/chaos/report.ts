import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { shellWord } from "../../core/text/shell-word.ts";
import { oneLine } from "../../core/text/visible.ts";
import type { ChaosFinding, ChaosReport } from "./chaos-report.ts";

/** What is written down: the report, and a file for each smallest schedule. */
export interface WrittenReport extends Omit<ChaosReport, "findings"> {
  readonly findings: readonly (ChaosFinding & { readonly replay: string | null })[];
  readonly report: string | null;
}

/** Writes report.md, report.json and the smallest schedules into a folder. `shown` is how the folder is named in commands. */
export function writeReport(report: ChaosReport, folder: string, shown: string): WrittenReport {
  mkdirSync(folder, { recursive: true });
  const findings = report.findings.map((finding) => {
    const name = `${finding.invariant}.json`;
    const { invariant, smallest: events } = finding;
    const schedule = { schema: "cairn/chaos-schedule@1", tier: report.tier, invariant, events };
    writeFileSync(join(folder, name), `${JSON.stringify(schedule, null, 2)}\n`);
    return { ...finding, replay: replayCommand(report, join(shown, name)) };
  });
  const written = { ...report, findings, report: join(shown, "report.md") };
  writeFileSync(join(folder, "report.md"), markdown(written));
  writeFileSync(join(folder, "report.json"), `${JSON.stringify(written, null, 2)}\n`);
  return written;
}

function replayCommand({ file, tier }: ChaosReport, schedule: string): string {
  const processes = tier === "processes" ? " --processes" : "";
  return `checkpoint chaos ${shellWord(file)}${processes} --replay ${shellWord(schedule)}`;
}

/** The report for people. What a workflow printed stands in code, so that it is no markup. */
function markdown(report: WrittenReport): string {
  const { workflow, file, tier, seed, runs, struck, not_tried, not_compared, findings } = report;
  const verdict = findings.length === 0 ? "All invariants held." : `${findings.length} broke.`;
  return `${[
    `# Chaos: ${workflow}`,
    `${code(file)}, ${runs} runs ${tier === "processes" ? "in processes of their own" : "in one process"}, seed ${seed}. **${verdict}**`,
    ...findings.flatMap((finding) => [
      `## ${finding.invariant}`,
      code(finding.reason),
      `Broken by ${finding.runs} of ${runs} runs, first by run ${finding.first_run}. The smallest schedule, after ${finding.tries} tries:`,
      finding.smallest.map((event) => `- ${code(event)}`).join("\n"),
      ...(finding.replay === null ? [] : ["```sh\n" + finding.replay + "\n```"]),
    ]),
    "## What struck",
    [
      "| fault | how often |",
      "| --- | --- |",
      ...Object.entries(struck).map(([fault, times]) => `| ${fault} | ${times} |`),
    ].join("\n"),
    ...(not_tried.length === 0
      ? []
      : ["Not tried:", not_tried.map(({ fault, reason }) => `- ${fault}: ${reason}`).join("\n")]),
    ...(not_compared.length === 0
      ? []
      : [
          "Not compared, because it is different each time even without faults:",
          not_compared.map((name) => `- ${code(name)}`).join("\n"),
        ]),
  ].join("\n\n")}\n`;
}

const code = (text: string): string => `\`${oneLine(text).replaceAll("`", "'")}\``;
