import { clip, oneLine } from "../../core/text/visible.ts";
import type { ReportedRun } from "./run-words.ts";

/** GitHub's limit of a summary or comment is 65,535 bytes; an emoji counts four, and is two characters here. */
const MAX_BYTES = 65_000;

/** Text from a run as it is: it forms no link, no markup, and mentions nobody. */
export function plain(text: string, most = 300): string {
  return clip(oneLine(text), most)
    .replaceAll(/[|`>[\]*_~#\\]/g, String.raw`\$&`)
    .replaceAll("<", "&lt;")
    .replaceAll("@", "@\u{200b}");
}

/** The steps as a table. Where there are too many, those that are done give way first. */
export function stepsTable(steps: ReportedRun["steps"]): string {
  const head = "| step | status | |\n| --- | --- | --- |\n";
  const rows = steps.map(({ id, status, words }) => ({
    isDone: status === "completed",
    text: `| ${plain(id, 100)} | ${status} | ${plain(words)} |\n`,
  }));
  const budget = MAX_BYTES - 1000;
  let size = Buffer.byteLength(head);
  const kept = new Set<(typeof rows)[number]>();
  for (const row of [...rows.filter(({ isDone }) => !isDone), ...rows.filter(({ isDone }) => isDone)]) {
    size += Buffer.byteLength(row.text);
    if (size > budget) break;
    kept.add(row);
  }
  const left = rows.length - kept.size;
  const more = left === 0 ? "" : `\n${left} more steps: \`checkpoint runs show\`\n`;
  return `${head}${rows
    .filter((row) => kept.has(row))
    .map(({ text }) => text)
    .join("")}${more}`;
}

/** Cut at the end of a line. */
export function fitting(text: string): string {
  if (Buffer.byteLength(text) <= MAX_BYTES) return text;
  const cut = Buffer.from(text).subarray(0, MAX_BYTES).toString("utf8");
  return `${cut.slice(0, cut.lastIndexOf("\n"))}\n…`;
}
